package operators

import "iter"

// EveryNth passes the values whose number is a multiple of n: the modulo filter
// of a [Sequence]. The first to pass is number n, and with n = 1 all pass. It
// panics if n < 1.
//
//	in:   {1,a} - {2,b} - {3,c} - {4,d}
//	out:  ------- {2,b} --------- {4,d}     (n = 2)
//
// It looks at the numbers and does not count. A multiple that is missing in the
// input passes nothing, and no other value takes its turn. A filter that stands
// before Sequence changes what is counted; one between Sequence and EveryNth
// only what is left.
func EveryNth[T any](in iter.Seq[Numbered[T]], n int) iter.Seq[Numbered[T]] {
	if n < 1 {
		panic("operators: EveryNth: n < 1")
	}
	return Filter(in, func(v Numbered[T]) bool {
		return v.Number%uint64(n) == 0
	})
}
