package pipeline

import (
	"context"
	"iter"
)

// Source is where a producer region gets its values. The region ranges over
// the sequence on a goroutine of its own; a source starts none.
//
// A source that waits must stop when ctx ends. On a graceful stop ctx ends
// late, after the last acknowledgement: until then a source may go on to
// yield, and the region holds the one value back and refuses it at the end.
// An error ends the source, unless it wraps ErrInvalid.
type Source[T any] func(ctx context.Context) iter.Seq2[Delivery[T], error]

// FromFunc is a source of the values of the sequence that f returns, which must
// end when ctx does. An error ends it, unless it wraps ErrInvalid.
func FromFunc[T any](f func(ctx context.Context) iter.Seq2[T, error]) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
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

// FromChannel is a source of the values of ch, until that is closed.
func FromChannel[T any](ch <-chan T) Source[T] {
	return func(ctx context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for {
				select {
				case v, ok := <-ch:
					if !ok || !yield(Delivery[T]{Value: v}, nil) {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		}
	}
}
