package operators

import "iter"

// Changed passes a value when it differs from the last one of its key that
// passed. The first value of a key always passes.
//
//	in:   a1 -- a1 -- b1 -- a2 -- b1
//	out:  a1 -------- b1 -- a2 -----
//
// The comparison is with the value that passed last, not with the one that came
// last. So when equal allows a tolerance, a slow drift does pass in the end
// instead of creeping by in steps that are each too small.
//
// A range keeps one value for each key that it has seen until it ends; nothing
// is forgotten before, so the keys should be bounded. A value costs one map
// look-up, and a value that passes one assignment more.
func Changed[K comparable, T any](in iter.Seq[T], key func(T) K, equal func(last, next T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		passed := make(map[K]T)
		for v := range in {
			k := key(v)
			if last, seen := passed[k]; seen && equal(last, v) {
				continue
			}
			passed[k] = v
			if !yield(v) {
				return
			}
		}
	}
}
