package pipeline

import (
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
)

// Delivery is one value from a source, with what the source tells of it.
type Delivery[T any] struct {
	Value T
	// At is when the value arrived: the latency clock starts here. A source
	// leaves it zero to have the value stamped when the source yields it.
	At time.Time
	// Sequence is the number the source gives the value; 0 for none.
	Sequence uint64
	// Bytes is the size of the payload, which quotas charge. 0 if unknown.
	Bytes int64
	// More says that the next value is at hand: the source yields it at once,
	// without waiting for anything. Then several values may be admitted under
	// one lock, and be stamped alike. A source that waits nevertheless delays
	// the values before. So one that wraps another and waits clears it.
	More bool
	// rest says that the next value is of the same batch: it would be lost if
	// the source were not ranged over any further.
	rest bool
	// Receipt is acknowledged when Producer.Acknowledge says so, and refused
	// when the value cannot be admitted. Nil for a source that wants none.
	Receipt Receipt
}

// Receipt settles a delivery with its source.
type Receipt = cache.Receipt

// ErrInvalid marks an error that concerns one value only. A source or an
// operator that yields an error wrapping it goes on: the value is counted,
// reported and acknowledged, since it would be no better the next time.
// Any other error ends the source and fails its producer.
var ErrInvalid = errors.New("pipeline: invalid value")

// stamp sets the time of arrival unless the source did.
func (d *Delivery[T]) stamp(b *burst) {
	if d.At.IsZero() {
		d.At = b.now()
	}
}

func (d *Delivery[T]) nack() {
	if d.Receipt != nil {
		d.Receipt.Nack()
	}
}
