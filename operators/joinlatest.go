package operators

import "iter"

// Joined is a left value and the right one that was the latest of its key.
type Joined[L, R any] struct {
	Left  L
	Right R
	// Matched is whether a right value of the key had come. If not, Right is
	// the zero value.
	Matched bool
}

// JoinLatest joins two streams by key: each left value comes out with the right
// value of its key that came last before it, such as a trade with the quote at
// that moment.
//
//	in:   a1 ------ A -- a2 ---- B -- C -- a3
//	out:  {a1,-} ------- {a2,A} ---------- {a3,C}     (capitals are right, of key a)
//
// Both streams come in one input, in the order that decides what a moment is;
// left and right tell its values apart. A value that is neither is passed over.
// One that is both counts as right first, so it is joined to itself. An input of
// structs with a kind costs no allocation, one of interfaces often does.
//
// A left value never waits. One that comes before the first right value of its
// key comes out unmatched: to hold it until then would join it to a value that
// was not there at its moment. Filter drops what is unmatched, if nobody wants
// it. A right value comes out with as many left values as follow it before the
// next, which may be none. Latest means the last to come, whatever its time of
// event; where right values overtake each other, [Filter] the older ones before.
//
// A range keeps one right value for each key that it has seen until it ends;
// nothing is forgotten before, so the keys should be bounded. A value costs one
// map operation.
//
//   - Emits when a left value comes.
//   - Waits never.
//   - Completes when the input ends.
//   - Cancels when the range is broken off. Nothing of the left is lost.
//
// JoinLatest holds the right values back, and so breaks the tie between their
// deliveries and the acknowledgements, though not that of the left: nothing
// comes out of a right delivery, so it is acknowledged at once, and after a
// crash its key is unmatched until the next. JoinLatest must therefore not stand
// in front of a cache that acknowledges when an entry is done, unless whoever
// sends the right values sends the current ones again at each start. Else let
// both sides into the cache under one key, with a Merge that keeps the left
// values of an entry, each with the right one that it met, and the newest right
// one; the handler stores that for the entries that follow.
func JoinLatest[K comparable, T, L, R any](in iter.Seq[T], key func(T) K, left func(T) (L, bool), right func(T) (R, bool)) iter.Seq[Joined[L, R]] {
	return func(yield func(Joined[L, R]) bool) {
		latest := make(map[K]R)
		for v := range in {
			if r, is := right(v); is {
				latest[key(v)] = r
			}
			l, is := left(v)
			if !is {
				continue
			}
			r, matched := latest[key(v)]
			if !yield(Joined[L, R]{Left: l, Right: r, Matched: matched}) {
				return
			}
		}
	}
}
