package pipeline

import (
	"context"
	"iter"
)

// Source is where a producer region gets its values. The region ranges over
// the sequence on a goroutine of its own; a source starts none. One that wraps
// another finds the values of a delivery in its Value or in its Batch, and ranges over
// that in a loop: one pulled by iter.Pull2 may hold up a stop while nobody pulls.
//
// A source that waits must stop when ctx ends. On a graceful stop ctx ends
// late, after the last acknowledgement. Until then a source may go on to yield.
// A delivery without a Receipt is then put into the cache if that still takes
// it; one with a Receipt is held back, in the yield, and refused at the end. One that
// came before goes in as a whole.
// An error ends the source, unless it wraps ErrInvalid.
type Source[T any] func(ctx context.Context) iter.Seq2[Delivery[T], error]

// inputsKey is the key of the context that ends when the stop begins, for
// sources that have nothing to acknowledge and need not wait for the end.
type inputsKey struct{}

// inputsOf returns that context, or ctx outside a run.
func inputsOf(ctx context.Context) context.Context {
	if inputs, ok := ctx.Value(inputsKey{}).(context.Context); ok {
		return inputs
	}
	return ctx
}

// untilStop returns a context that ends when the stop begins, if not before, for a
// source that does so too and calls ended then.
func untilStop(ctx context.Context) (_ context.Context, ended func()) {
	inputs, told := inputsOf(ctx), chainsOf(ctx).endsAtStop()
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(inputs, cancel)
	if inputs.Err() != nil {
		cancel() // at once
	}
	return ctx, func() {
		forget()
		cancel()
		told()
	}
}

// FromFunc is a source of the values of the sequence that f returns, which must
// end when ctx does: when the stop begins, which gives it 100 ms for a last value, or
// Producer.Intermittent lets go, or the context of the source ends, from which it is
// derived. An error ends the source, unless it wraps ErrInvalid.
func FromFunc[T any](f func(ctx context.Context) iter.Seq2[T, error]) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			ctx, ended := untilStop(ctx)
			defer ended()
			for v, err := range f(ctx) {
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

// FromBatches is FromFunc for values that come several at a time: see
// Delivery.Batch. Admitted together they cost half of what they do one by one.
func FromBatches[T any](f func(ctx context.Context) iter.Seq2[[]T, error]) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			ctx, ended := untilStop(ctx)
			defer ended()
			for batch, err := range f(ctx) {
				if len(batch) > 0 && !yield(Delivery[T]{Batch: batch}, nil) {
					return
				}
				if err != nil && !yield(Delivery[T]{}, err) {
					return
				}
			}
		}
	}
}

// FromChannel is a source of the values of ch, until that is closed. Those that
// are at hand, but for 64 at most, make a batch. Several sources may share a
// channel.
func FromChannel[T any](ch <-chan T) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			size := staged
			if mayWait(ctx) {
				size = 1 // what it does not take yet stays in the channel
			}
			batch := make([]T, 0, size)
			inputs, ended := untilStop(ctx)
			defer ended()
			for inputs.Err() == nil {
				select {
				case v, ok := <-ch:
					if !ok {
						return
					}
					batch = fill(append(batch, v), ch)
				case <-inputs.Done():
					return
				}
				d := Delivery[T]{Value: batch[0]}
				if len(batch) > 1 {
					d = Delivery[T]{Batch: batch}
				}
				if !yield(d, nil) {
					return
				}
				clear(batch)
				batch = batch[:0]
			}
		}
	}
}

// fill appends what is at hand in ch, as far as there is room.
func fill[T any](batch []T, ch <-chan T) []T {
	for len(batch) < cap(batch) {
		select {
		case v, ok := <-ch:
			if !ok {
				return batch
			}
			batch = append(batch, v)
		default:
			return batch
		}
	}
	return batch
}
