package operators

import "iter"

// Filter passes the values for which keep is true.
//
//	in:   1 -- 2 -- 3 -- 4
//	out:  ---- 2 ------- 4     (keep the even ones)
func Filter[T any](in iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range in {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}
