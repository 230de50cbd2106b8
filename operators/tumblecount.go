package operators

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Group is what [TumbleCount] makes of successive values of one key.
type Group[K comparable, S any] struct {
	Key K
	// Count is the number of values: n, or fewer if the input ended before.
	Count int
	Value S
}

// TumbleCount folds every n values of a key into one: bars of n trades instead
// of a span of time. It panics if n < 1.
//
//	in:   a1 -- b5 -- a2 -- a4 -- b1 -- a8 ---- b3 |
//	out:  ----------- a3 ------- b6 -- a12 ------ b3     (sums, n = 2)
//
// The keys are independent: a group comes out with its n-th value, and that of a
// quiet key stays open until the input ends. Then the open groups come out in
// the order of their first values.
//
// Every group starts from initial, of which holds what [Scan] says.
//
// A range keeps a state for each key whose group is open, and drops it with the
// group. A value costs one map look-up, a group one allocation and two map
// operations more.
//
// TumbleCount holds up to n-1 values of each key back, and loses them if the
// range is broken off. It breaks the tie between a delivery and its
// acknowledgement as [Tumble] does: it must not stand in front of a cache that
// acknowledges when an entry is done. There, let the Merge of the cache collect
// the values of an entry in a slice, and the handler store them and count to n:
// it gets the entries of a key in order and one at a time.
func TumbleCount[K comparable, T, S any](in iter.Seq[T], n int, key func(T) K, initial S, f func(S, T) S) iter.Seq[Group[K, S]] {
	if n < 1 {
		panic("operators: TumbleCount: n < 1")
	}
	return func(yield func(Group[K, S]) bool) {
		open := make(map[K]*openGroup[K, S])
		var opened uint64
		for v := range in {
			k := key(v)
			g := open[k]
			if g == nil {
				opened++
				g = &openGroup[K, S]{Group[K, S]{Key: k, Value: initial}, opened}
				open[k] = g
			}
			g.Count++
			g.Value = f(g.Value, v)
			if g.Count < n {
				continue
			}
			delete(open, k)
			if !yield(g.Group) {
				return
			}
		}
		for _, g := range slices.SortedFunc(maps.Values(open), byOpening) {
			if !yield(g.Group) {
				return
			}
		}
	}
}

// openGroup is a group and its place in the order of opening, which a map does
// not keep.
type openGroup[K comparable, S any] struct {
	Group[K, S]
	opened uint64
}

func byOpening[K comparable, S any](a, b *openGroup[K, S]) int {
	return cmp.Compare(a.opened, b.opened)
}
