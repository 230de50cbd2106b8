package operators

import "iter"

// Tap calls f with each value and passes it on unchanged: to count, log or
// check what flows by.
//
//	in:   1 ---- 2 ---- 3
//	      f(1)   f(2)   f(3)
//	out:  1 ---- 2 ---- 3
//
// f returns before the value is passed on, so a slow f slows the stream.
func Tap[T any](in iter.Seq[T], f func(T)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range in {
			f(v)
			if !yield(v) {
				return
			}
		}
	}
}
