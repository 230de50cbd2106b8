package pipeline

import (
	"context"
	"iter"
)

// Source is where a producer region gets its values. The region ranges over
// the sequence on a goroutine of its own; a source starts none.
//
// A source that waits must stop when ctx ends. On a graceful stop ctx ends
// late, after the last acknowledgement. Until then a source may go on to yield.
// A delivery without a Receipt is then put into the cache if that still takes
// it; one with a Receipt is held back and refused at the end.
// An error ends the source, unless it wraps ErrInvalid.
type Source[T any] func(ctx context.Context) iter.Seq2[Delivery[T], error]

// inputsKey is the key of the context that ends when the stop begins, for
// sources that have nothing to acknowledge and need not wait for the end.
type inputsKey struct{}

// untilStop returns the context that ends when the stop begins.
func untilStop(ctx context.Context) context.Context {
	if inputs, ok := ctx.Value(inputsKey{}).(context.Context); ok {
		return inputs
	}
	return ctx
}

// FromFunc is a source of the values of the sequence that f returns, which must
// end when ctx does: that is when the stop begins. An error ends it, unless it wraps ErrInvalid.
func FromFunc[T any](f func(ctx context.Context) iter.Seq2[T, error]) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for v, err := range f(untilStop(ctx)) {
				if !yield(Delivery[T]{Value: v}, err) {
					return
				}
			}
		}
	}
}

// FromSeq is a source of the values of seq. Where seq blocks, the region
// cannot be stopped before it yields or returns; FromFunc does better.
func FromSeq[T any](seq iter.Seq[T]) Source[T] {
	return func(context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for v := range seq {
				if !yield(Delivery[T]{Value: v}, nil) {
					return
				}
			}
		}
	}
}

// FromBatches is FromFunc for values that come several at a time. Those of a
// batch are stamped alike, and admitted together where that is possible, which
// nearly doubles the throughput. A batch that has begun goes into the cache to
// its end, with all that a chain makes of it, also when the stop begins or an
// Intermittent producer lets go. The slice may be used again after the yield.
func FromBatches[T any](f func(ctx context.Context) iter.Seq2[[]T, error]) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for batch, err := range f(untilStop(ctx)) {
				for i, v := range batch {
					more := i < len(batch)-1
					if !yield(Delivery[T]{Value: v, More: more, rest: more}, nil) {
						return
					}
				}
				if err != nil && !yield(Delivery[T]{}, err) {
					return
				}
			}
		}
	}
}

// FromChannel is a source of the values of ch, until that is closed. Several
// sources may share a channel.
func FromChannel[T any](ch <-chan T) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			burst := burstOf(ctx)
			ctx := untilStop(ctx)
			for ctx.Err() == nil {
				select {
				case v, ok := <-ch:
					if !ok || !yield(Delivery[T]{Value: v, More: true}, nil) {
						return
					}
					continue
				default:
					burst.pause()
				}
				select {
				case v, ok := <-ch:
					if !ok || !yield(Delivery[T]{Value: v, More: true}, nil) {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		}
	}
}
