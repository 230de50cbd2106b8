package pipeline

import "sync/atomic"

// share is the receipt of a delivery of which a chain may make several values.
// The delivery is acknowledged when all of them are, and refused if one is.
type share struct {
	receipt Receipt
	open    atomic.Int64 // parts not settled yet
	refused atomic.Bool
}

// part is one value's part of a share. It can be settled once.
type part struct {
	share   *share
	settled atomic.Bool
}

// newShare returns a share with one part open: that of whoever makes it.
func newShare(receipt Receipt) *share {
	s := &share{receipt: receipt}
	s.open.Store(1)
	return s
}

// part opens one more part.
func (s *share) part() *part {
	s.open.Add(1)
	return &part{share: s}
}

// Ack settles one part. The last one settles the delivery.
func (s *share) Ack() bool {
	if s.open.Add(-1) > 0 {
		return true
	}
	if s.refused.Load() {
		return s.receipt.Nack()
	}
	return s.receipt.Ack()
}

// Nack settles one part, and the delivery as refused in the end.
func (s *share) Nack() bool {
	s.refused.Store(true)
	return s.Ack()
}

// Revoked reports whether the source has taken the delivery back.
func (p *part) Revoked() bool {
	r, ok := p.share.receipt.(interface{ Revoked() bool })
	return ok && r.Revoked()
}

func (p *part) Ack() bool  { return p.settled.CompareAndSwap(false, true) && p.share.Ack() }
func (p *part) Nack() bool { return p.settled.CompareAndSwap(false, true) && p.share.Nack() }
