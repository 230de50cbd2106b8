package operators

import "iter"

// TryMap turns each value into another one or an error. It yields just what f
// returns; an error does not end the sequence, the caller does by breaking.
//
//	in:   1 --------- 2 -------- 3
//	out:  f(1),nil -- -,error -- f(3),nil
//
// An f that needs a context, an index or a retry catches it as a closure.
func TryMap[T, U any](in iter.Seq[T], f func(T) (U, error)) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for v := range in {
			if !yield(f(v)) {
				return
			}
		}
	}
}
