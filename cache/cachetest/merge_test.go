package cachetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/headrace/headrace/cache"
)

func digit(rng *rand.Rand) int { return rng.IntN(4) }

func replace[V any](_, emitted V) V { return emitted }

func add(state, emitted int) int { return state + emitted }

func TestMergesOfTheCacheKeepTheLaws(t *testing.T) {
	for name, l := range map[string]Law[int, int]{
		"Latest":         {Merge: cache.Latest[int], Apply: replace[int]},
		"Sum":            {Merge: cache.Sum[int], Apply: add},
		"a sum in place": {MergeInto: func(waiting, arriving *int) { *waiting += *arriving }, Apply: add},
		"Min":            {Merge: cache.Min[int], Apply: cache.Min[int]},
		"Max":            {Merge: cache.Max[int], Apply: cache.Max[int]},
		"MaxBy": {
			Merge: cache.MaxBy(func(v int) int { return v % 2 }),
			Apply: cache.MaxBy(func(v int) int { return v % 2 }),
			Start: func() int { return math.MinInt / 2 * 2 },
		},
	} {
		l.Value = digit
		t.Run(name, func(t *testing.T) { TestMerge(t, l) })
	}
}

// Values and states of different types: a list of changes and a map.
func TestMergeOfChanges(t *testing.T) {
	type change struct{ key, value int }
	TestMerge(t, Law[[]change, map[int]int]{
		Merge: func(waiting, arriving []change) []change { return slices.Concat(waiting, arriving) },
		Value: func(rng *rand.Rand) []change { return []change{{digit(rng), digit(rng)}} },
		Start: func() map[int]int { return make(map[int]int) },
		Apply: func(state map[int]int, changes []change) map[int]int {
			for _, c := range changes {
				state[c.key] = c.value
			}
			return state
		},
	})
}

func TestFloatsNeedEqual(t *testing.T) {
	l := Law[float64, float64]{
		Merge: cache.Sum[float64],
		Value: func(rng *rand.Rand) float64 { return rng.Float64() },
		Apply: func(state, emitted float64) float64 { return state + emitted },
	}
	if err := l.check(); err == nil || !strings.Contains(err.Error(), "not associative") {
		t.Errorf("a sum of floats: %v", err)
	}
	l.EqualValues = func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if err := l.check(); err == nil || !strings.Contains(err.Error(), "early emission") {
		t.Errorf("with EqualValues: %v", err)
	}
	l.EqualStates = l.EqualValues
	TestMerge(t, l)
}

// Each broken law is named, with the values that break it.
func TestBrokenLaws(t *testing.T) {
	tests := []struct {
		name string
		law  Law[int, int]
		want []string
	}{
		{"First samples", Law[int, int]{Merge: cache.First[int], Apply: replace[int]},
			[]string{"early emission gives another final state", "values  [", "emitted ", "merged into one they give"}},
		{"a sum that is taken for a state", Law[int, int]{Merge: cache.Sum[int], Apply: replace[int]},
			[]string{"early emission"}},
		{"a state that is taken for a sum", Law[int, int]{Merge: cache.Latest[int], Apply: add},
			[]string{"early emission"}},
		{"a difference", Law[int, int]{Merge: func(a, b int) int { return a - b }, Apply: add},
			[]string{"not associative", "a = ", "b = ", "c = ", "Merge(Merge(a, b), c) = ", "Merge(a, Merge(b, c)) = "}},
		{"two merges", Law[int, int]{Merge: cache.Sum[int], MergeInto: func(_, _ *int) {}, Apply: add}, []string{"not both"}},
		{"no Apply", Law[int, int]{Merge: cache.Sum[int]}, []string{"needs Merge or MergeInto, Value and Apply"}},
	}
	for _, test := range tests {
		test.law.Value = digit
		err := test.law.check()
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q in it", test.name, err, want)
			}
		}
	}
}

func TestMergeThatChangesItsArguments(t *testing.T) {
	for name, merge := range map[string]func(waiting, arriving []int) []int{
		"waiting":  func(waiting, arriving []int) []int { waiting[0] += arriving[0]; return waiting },
		"arriving": func(waiting, arriving []int) []int { arriving[0] += waiting[0]; return arriving },
	} {
		l := Law[[]int, int]{
			Merge: merge,
			Value: func(rng *rand.Rand) []int { return []int{1 + digit(rng)} },
			Apply: func(state int, emitted []int) int { return state + emitted[0] },
		}
		if err := l.check(); err == nil || !strings.Contains(err.Error(), "changes its arguments") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValueThatIsNotRepeatable(t *testing.T) {
	n := 0
	l := Law[int, int]{Merge: cache.Sum[int], Apply: add, Value: func(*rand.Rand) int { n++; return n }}
	if err := l.check(); err == nil || !strings.Contains(err.Error(), "depend on rng alone") {
		t.Errorf("a counter as Value: %v", err)
	}
}

// fatal records what TestMerge says of a law that is broken.
type fatal struct {
	testing.TB
	said string
}

func (f *fatal) Helper()           {}
func (f *fatal) Fatal(args ...any) { f.said = fmt.Sprint(args...) }

func TestMergeFails(t *testing.T) {
	f := &fatal{TB: t}
	TestMerge(f, Law[int, int]{Merge: cache.First[int], Apply: replace[int], Value: digit})
	if !strings.Contains(f.said, "early emission") {
		t.Errorf("said %q", f.said)
	}
}

func TestRunsAndSeed(t *testing.T) {
	asked := 0
	l := Law[int, int]{Merge: cache.Sum[int], Apply: add, Runs: 1, Seed: 5,
		Value: func(rng *rand.Rand) int { asked++; return digit(rng) }}
	if err := l.check(); err != nil || asked != 2+2+3+2 {
		t.Errorf("one run asks for %d values, %v", asked, err)
	}
}
