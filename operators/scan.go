package operators

import "iter"

// Scan keeps a state and yields it after each value: the running form of a
// fold. The initial state itself is not yielded.
//
//	in:   1 -- 2 -- 3 -- 4
//	out:  1 -- 3 -- 6 -- 10     (a sum from 0)
//
// Every range starts from initial, which is copied by assignment. A state that
// f changes in place, such as a map or what a pointer points to, would carry
// over from one range to the next, and what was yielded would change later. Let
// initial be nil then, and f make the state when it sees nil.
func Scan[T, S any](in iter.Seq[T], initial S, f func(S, T) S) iter.Seq[S] {
	return func(yield func(S) bool) {
		state := initial
		for v := range in {
			state = f(state, v)
			if !yield(state) {
				return
			}
		}
	}
}
