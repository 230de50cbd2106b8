package operators

import "iter"

// Map turns each value into another one.
//
//	in:   1 ---- 2 ---- 3
//	out:  f(1) - f(2) - f(3)
func Map[T, U any](in iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range in {
			if !yield(f(v)) {
				return
			}
		}
	}
}
