package cache

import "cmp"

// Latest keeps the arriving value. It is what a nil Options.Merge does; leave
// Merge nil rather than set it, which costs a call and needs Replaces as well.
func Latest[V any](_, arriving V) V { return arriving }

// First keeps the waiting value.
func First[V any](waiting, _ V) V { return waiting }

// Min keeps the smaller value, as the built-in min does: of two equals the
// waiting one, and a floating-point NaN whenever there is one.
func Min[V cmp.Ordered](waiting, arriving V) V { return min(waiting, arriving) }

// Max keeps the larger value, as the built-in max does.
func Max[V cmp.Ordered](waiting, arriving V) V { return max(waiting, arriving) }

// Sum adds values up. A sum is an increment: it starts again after its entry
// was taken, so the consumer adds what it is handed to what it has.
func Sum[V cmp.Ordered](waiting, arriving V) V { return waiting + arriving }

// MinBy returns a merge that keeps the value with the smaller key, and the
// waiting one of two equals. Unlike in Min, NaN is the smallest key.
func MinBy[V any, C cmp.Ordered](key func(V) C) func(waiting, arriving V) V {
	return func(waiting, arriving V) V {
		if cmp.Less(key(arriving), key(waiting)) {
			return arriving
		}
		return waiting
	}
}

// MaxBy returns a merge that keeps the value with the larger key, and the
// waiting one of two equals.
func MaxBy[V any, C cmp.Ordered](key func(V) C) func(waiting, arriving V) V {
	return func(waiting, arriving V) V {
		if cmp.Less(key(waiting), key(arriving)) {
			return arriving
		}
		return waiting
	}
}
