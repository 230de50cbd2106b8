package pipeline

import (
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/headrace/headrace/cache"
)

// Delivery is what a source hands over at once, with what it tells of it: one
// value, or a batch of them.
type Delivery[T any] struct {
	Value T
	// Batch holds values that came together, in the place of Value. They share
	// all that the delivery tells, and several are admitted under one lock
	// where that is possible. A batch that has begun before a stop goes into the
	// cache to its end, with all that a chain makes of it. The slice may be used
	// again after the yield. Nil for one value; an empty batch is a delivery of none.
	Batch []T
	// At is when the value arrived: the latency clock starts here. A source
	// leaves it zero to have the value stamped when the source yields it.
	At time.Time
	// Sequence is the number the source gives the value; 0 for none.
	Sequence uint64
	// Bytes is the size of the payload, which quotas charge. 0 if unknown.
	Bytes int64
	// Receipt is acknowledged when Producer.Acknowledge says so of all values,
	// and refused when one cannot be admitted. Nil for a source that wants none.
	Receipt Receipt
}

// Receipt settles a delivery with its source.
type Receipt = cache.Receipt

// ErrInvalid marks an error that concerns one value only. A source or an
// operator that yields an error wrapping it goes on: the delivery is counted as
// one value, reported and acknowledged, since it would be no better the next time.
// Any other error ends the source and fails its producer.
var ErrInvalid = errors.New("pipeline: invalid value")

// stamp sets the time of arrival unless the source did.
func (d *Delivery[T]) stamp() {
	if d.At.IsZero() {
		d.At = time.Now()
	}
}

// Values iterates over the value or the batch.
func (d *Delivery[T]) Values() iter.Seq[T] {
	if d.Batch != nil {
		return slices.Values(d.Batch)
	}
	return func(yield func(T) bool) { yield(d.Value) }
}

// len returns the number of values.
func (d *Delivery[T]) len() int {
	if d.Batch != nil {
		return len(d.Batch)
	}
	return 1
}

func (d *Delivery[T]) nack() {
	if d.Receipt != nil {
		d.Receipt.Nack()
	}
}
