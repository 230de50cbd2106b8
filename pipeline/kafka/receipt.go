package kafka

import (
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// receipt settles a record that was yielded. A record that was refused and is
// yielded again has a new one.
type receipt struct {
	memory   *memory
	record   *record
	delivery int
}

// open reports whether the receipt can still settle its record.
func (r *receipt) open() bool {
	return !r.record.acknowledged() && !r.record.refused && r.delivery == r.record.delivery
}

// Ack marks the record as done. Its offset is committed later, when those
// before it are done too. False means that it was settled before, or that its
// partition has been revoked, so that another member may get the record.
func (r *receipt) Ack() bool {
	s, mark, ok := r.acknowledge()
	if mark != nil {
		// Two that advance one after the other may come here in either order:
		// the client takes no mark below the one it has, nor of a partition
		// that it has not.
		s.client.MarkCommitRecords(mark)
	}
	return ok
}

func (r *receipt) acknowledge() (s *session, mark *kgo.Record, ok bool) {
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	if !r.open() {
		return nil, nil, false
	}
	r.record.kafka = nil
	p := r.record.partition
	if p.revoked {
		return nil, nil, false
	}
	w := p.session.window
	w.inHand--
	w.signal()
	return p.session, w.advance(p), true
}

// Nack lets the record be yielded again after Options.NackDelay. Until it is
// acknowledged, no offset behind it is committed.
func (r *receipt) Nack() bool {
	s := r.refuse()
	if s == nil {
		return false
	}
	time.AfterFunc(s.options.NackDelay, func() { s.window.again(r.record) })
	return true
}

func (r *receipt) refuse() *session {
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	if !r.open() {
		return nil
	}
	r.record.refused = true
	p := r.record.partition
	if p.revoked {
		r.memory.forget(r.record)
		return nil
	}
	return p.session
}

// Revoked reports whether the partition has been taken from this member of the
// group, or the source has ended. Who is told so must drop the value: should
// the partition come back, the record is yielded again.
func (r *receipt) Revoked() bool {
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	p := r.record.partition
	if p.revoked {
		r.memory.forget(r.record)
	}
	return p.revoked
}
