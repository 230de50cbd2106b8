package cachetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// Law is what TestMerge has to know of a merge and of the consumer that takes
// what it makes.
type Law[V, S any] struct {
	// Merge is the merge under test, or MergeInto. One is required.
	Merge     func(waiting, arriving V) V
	MergeInto func(waiting, arriving *V)
	// Value makes a value. It must depend on rng alone and be small: a few
	// distinct values find more than many. Required.
	Value func(rng *rand.Rand) V
	// Apply returns the state of the consumer after it was handed a value. For
	// a merge of states it returns the value, for one of increments it adds.
	// It may change the state that it is given. Required.
	Apply func(state S, emitted V) S
	// Start returns the state before the first value. Nil starts with the zero
	// value of S.
	Start func() S

	// EqualValues and EqualStates say when two are the same, for instance but
	// for the rounding of floating-point numbers. Nil is reflect.DeepEqual.
	EqualValues func(a, b V) bool
	EqualStates func(a, b S) bool

	// Runs is the number of random sequences. Default 1000.
	Runs int
	// Seed makes another choice of them. Default 0.
	Seed uint64
}

// TestMerge fails t unless the merge keeps the three laws that a cache relies
// on. It must leave its arguments as they are, but for what waits in place. It must be associative, since a
// returned entry merges with one that was merged already. And early emission
// must give the same final state: whichever values of a key happen to be merged
// before the consumer takes them, it ends up the same.
//
// A merge that samples, such as cache.First, breaks the last one by design.
// TestMerge looks for short sequences first, and stops at the first failure.
func TestMerge[V, S any](t testing.TB, l Law[V, S]) {
	t.Helper()
	if err := l.check(); err != nil {
		t.Fatal(err)
	}
}

func (l Law[V, S]) check() error {
	switch {
	case l.Merge != nil && l.MergeInto != nil:
		return fmt.Errorf("cachetest: Law needs Merge or MergeInto, not both")
	case l.Merge == nil && l.MergeInto == nil, l.Value == nil, l.Apply == nil:
		return fmt.Errorf("cachetest: Law needs Merge or MergeInto, Value and Apply")
	}
	if l.MergeInto != nil {
		l.Merge = func(waiting, arriving V) V {
			l.MergeInto(&waiting, &arriving)
			return waiting
		}
	}
	if l.EqualValues == nil {
		l.EqualValues = func(a, b V) bool { return reflect.DeepEqual(a, b) }
	}
	if l.EqualStates == nil {
		l.EqualStates = func(a, b S) bool { return reflect.DeepEqual(a, b) }
	}
	if l.Runs == 0 {
		l.Runs = 1000
	}
	for _, law := range []func(seed uint64, n int) error{l.pure, l.associative, l.early} {
		for run := range l.Runs {
			if err := law(l.Seed+uint64(run), 2+6*run/l.Runs); err != nil {
				return err
			}
		}
	}
	return nil
}

// values makes n values, the same for the same seed.
func (l Law[V, S]) values(seed uint64, n int) ([]V, *rand.Rand) {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	values := make([]V, n)
	for i := range values {
		values[i] = l.Value(rng)
	}
	return values, rng
}

func (l Law[V, S]) pure(seed uint64, _ int) error {
	v, _ := l.values(seed, 2)
	was, _ := l.values(seed, 2)
	if !l.EqualValues(v[0], was[0]) || !l.EqualValues(v[1], was[1]) {
		return fmt.Errorf("cachetest: Value must depend on rng alone: it made %v and then %v", v, was)
	}
	got := fmt.Sprintf("%+v", l.Merge(v[0], v[1]))
	if !l.EqualValues(v[0], was[0]) || !l.EqualValues(v[1], was[1]) {
		return fmt.Errorf("the merge changes its arguments:\n\tMerge(%+v, %+v) = %s\n\tleft them as (%+v, %+v)", was[0], was[1], got, v[0], v[1])
	}
	return nil
}

func (l Law[V, S]) associative(seed uint64, _ int) error {
	v, _ := l.values(seed, 3)
	a, b, c := v[0], v[1], v[2]
	left, right := l.Merge(l.Merge(a, b), c), l.Merge(a, l.Merge(b, c))
	if l.EqualValues(left, right) {
		return nil
	}
	return fmt.Errorf("the merge is not associative:\n\ta = %+v\n\tb = %+v\n\tc = %+v\n\tMerge(Merge(a, b), c) = %+v\n\tMerge(a, Merge(b, c)) = %+v",
		a, b, c, left, right)
}

// early compares one emission of all values with several.
func (l Law[V, S]) early(seed uint64, n int) error {
	values, rng := l.values(seed, n)
	cuts := make([]bool, n) // an emission after the value
	for i := range cuts {
		cuts[i] = rng.IntN(2) == 0
	}
	cuts[rng.IntN(n-1)] = true
	late, _ := l.emit(values, make([]bool, n))
	early, emitted := l.emit(values, cuts)
	if l.EqualStates(late, early) {
		return nil
	}
	return fmt.Errorf("early emission gives another final state:\n\tvalues  %+v\n\temitted %s\n\tgives   %+v\n\tmerged into one they give %+v",
		values, strings.Join(emitted, ", "), early, late)
}

// emit merges the values, hands over what is merged after each cut and at the
// end, and returns the final state.
func (l Law[V, S]) emit(values []V, cuts []bool) (state S, emitted []string) {
	if l.Start != nil {
		state = l.Start()
	}
	for i := 0; i < len(values); i++ {
		merged := values[i]
		for ; i < len(values)-1 && !cuts[i]; i++ {
			merged = l.Merge(merged, values[i+1])
		}
		emitted = append(emitted, fmt.Sprintf("%+v", merged))
		state = l.Apply(state, merged)
	}
	return state, emitted
}
