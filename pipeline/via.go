package pipeline

import (
	"context"
	"iter"
)

// Via puts a chain of operators behind a source. It runs on the goroutine of
// the region, without a buffer, and must start no goroutine. It should not
// wait: what comes of a batch is handed on together, up to 64 values at a time.
//
// What the chain yields while it is fed one delivery belongs to that delivery:
// it has its time of arrival and its sequence number, and the delivery is
// settled when all of it is. A delivery of which nothing comes out is
// acknowledged at once. So a chain must not hold values back (as Chunk does)
// behind a source whose values are lost when they are acknowledged too early.
// What comes out after the source has ended belongs to no delivery. FromFunc,
// FromBatches and FromChannel end when a stop begins. That gives them 100 ms to do so,
// and waits for what the chain has held back. Behind a source that ends later it comes
// too late, and is counted as rejected. So is what is left of a batch in whose midst a
// chain fails. A source that panics takes with it what its chains hold back.
//
// A delivery in whose midst the chain leaves its input is acknowledged, unless the
// chain then fails. A chain must end when its input has, and should range over that
// once. What it yields while it ranges over it in a loop over it belongs to no delivery.
func Via[T, U any](source Source[T], chain func(iter.Seq[T]) iter.Seq[U]) Source[U] {
	return func(ctx context.Context) iter.Seq2[Delivery[U], error] {
		return func(yield func(Delivery[U], error) bool) {
			f := newFeeder(ctx, source, false, yield)
			defer f.close()
			for u := range chain(f.feed) {
				if !f.emit(u, nil) {
					return
				}
			}
			f.end()
		}
	}
}

// TryVia is Via for a chain whose steps can fail or wait. An error of the
// chain is treated as one of a source: it ends the producer, unless it wraps
// ErrInvalid. It too must range over its input on the goroutine that ranges
// over its output. What comes out is admitted one by one, at once, since the
// chain may wait before the next value. A stop waits for the rest of a batch, but for
// what the chain holds back it waits 100 ms only, as it does for any chain of Via in
// front of this one. The value with which the chain fails is told by the error, and
// not counted.
func TryVia[T, U any](source Source[T], chain func(context.Context, iter.Seq[T]) iter.Seq2[U, error]) Source[U] {
	return func(ctx context.Context) iter.Seq2[Delivery[U], error] {
		return func(yield func(Delivery[U], error) bool) {
			f := newFeeder(ctx, source, true, yield)
			defer f.close()
			for u, err := range chain(ctx, f.feed) {
				if !f.emit(u, err) {
					return
				}
			}
			f.end()
		}
	}
}
