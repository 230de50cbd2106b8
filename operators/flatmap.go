package operators

import "iter"

// FlatMap turns each value into none, one or many. They come out before the
// next value is asked for. The sequence that f returns must not be nil, but may
// be empty.
//
//	in:   2 ------ 0 -- 3
//	out:  2 - 2 ------- 3 - 3 - 3     (n times n)
func FlatMap[T, U any](in iter.Seq[T], f func(T) iter.Seq[U]) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range in {
			for u := range f(v) {
				if !yield(u) {
					return
				}
			}
		}
	}
}
