package operators

import "iter"

// Numbered is a value and its place in a sequence.
type Numbered[T any] struct {
	// Number counts from 1.
	Number uint64
	Value  T
}

// Sequence numbers its input from 1. A number stays with its value through the
// steps that follow, so that a gap shows what was filtered out.
//
//	in:   a ----- b ----- c
//	out:  {1,a} - {2,b} - {3,c}
//
// Each range counts from 1 again.
func Sequence[T any](in iter.Seq[T]) iter.Seq[Numbered[T]] {
	return func(yield func(Numbered[T]) bool) {
		var n uint64
		for v := range in {
			n++
			if !yield(Numbered[T]{Number: n, Value: v}) {
				return
			}
		}
	}
}
