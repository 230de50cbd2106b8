package operators

import "iter"

// ScanBy is [Scan] with a state for each key. It yields the state of the key
// whose value came in.
//
//	in:   a1 -- b5 -- a2 -- b1
//	out:  1 --- 5 --- 3 --- 6     (a sum from 0 for each letter)
//
// What Scan says of initial holds here for every key. A range keeps the state
// of each key that it has seen until it ends; nothing is forgotten before, so
// the keys should be bounded. A value costs two map operations more than with
// Scan.
func ScanBy[K comparable, T, S any](in iter.Seq[T], key func(T) K, initial S, f func(S, T) S) iter.Seq[S] {
	return func(yield func(S) bool) {
		states := make(map[K]S)
		for v := range in {
			k := key(v)
			state, seen := states[k]
			if !seen {
				state = initial
			}
			state = f(state, v)
			states[k] = state
			if !yield(state) {
				return
			}
		}
	}
}
