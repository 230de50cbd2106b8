package operators_test

import (
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

// output is a value that came out, and how many had been fed in by then.
type output struct {
	value, fed int
}

// atEnd is fed when the input of 1 to 4 has ended.
const atEnd = 5

// contract holds the operators to what doc.go promises of all of them.
var contract = []struct {
	name string
	step func(*testing.T, iter.Seq[int]) iter.Seq[int]
	want []output // for the input 1 to 4
}{
	{
		"Map",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return operators.Map(in, func(v int) int { return 10 * v })
		},
		[]output{{10, 1}, {20, 2}, {30, 3}, {40, 4}},
	},
	{
		"TryMap",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return firsts(operators.TryMap(in, func(v int) (int, error) { return -v, nil }))
		},
		[]output{{-1, 1}, {-2, 2}, {-3, 3}, {-4, 4}},
	},
	{
		"Filter",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] { return operators.Filter(in, even) },
		[]output{{2, 2}, {4, 4}},
	},
	{
		"FlatMap",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return operators.FlatMap(in, func(v int) iter.Seq[int] { return upTo(v - 1) })
		},
		[]output{{1, 2}, {1, 3}, {2, 3}, {1, 4}, {2, 4}, {3, 4}},
	},
	{
		"Scan",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] { return operators.Scan(in, 100, add) },
		[]output{{101, 1}, {103, 2}, {106, 3}, {110, 4}},
	},
	{
		"ScanBy",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] { return operators.ScanBy(in, even, 100, add) },
		[]output{{101, 1}, {102, 2}, {104, 3}, {106, 4}},
	},
	{
		"Sequence",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] { return numbers(operators.Sequence(in)) },
		[]output{{1, 1}, {2, 2}, {3, 3}, {4, 4}},
	},
	{
		"EveryNth",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return numbers(operators.EveryNth(operators.Sequence(in), 3))
		},
		[]output{{3, 3}},
	},
	{
		"Changed",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return operators.Changed(in, even, func(last, _ int) bool { return last == 1 })
		},
		[]output{{1, 1}, {2, 2}, {4, 4}},
	},
	{
		"Tap",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] { return operators.Tap(in, func(int) {}) },
		[]output{{1, 1}, {2, 2}, {3, 3}, {4, 4}},
	},
	{
		"Throttle",
		func(t *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return firsts(operators.Throttle(t.Context(), in, 1, time.Second))
		},
		[]output{{1, 1}, {2, 2}, {3, 3}, {4, 4}},
	},
	{
		"JoinLatest",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			odd := func(v int) (int, bool) { return v, !even(v) }
			joined := operators.JoinLatest(in, func(int) int { return 0 }, odd, func(v int) (int, bool) { return v, even(v) })
			return operators.Map(joined, func(j operators.Joined[int, int]) int { return 10*j.Left + j.Right })
		},
		[]output{{10, 1}, {32, 3}},
	},
	{
		"Tumble", // odd and even, in spans of two: 1, then 2 and 3, then 4
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			at := func(v int) time.Time { return time.Unix(0, int64(v)) }
			windows := operators.Tumble(in, 2, at, even, 100, add, func(int) {})
			return operators.Map(windows, func(w operators.Window[bool, int]) int { return w.Value })
		},
		[]output{{101, 2}, {102, 4}, {103, 4}, {104, atEnd}},
	},
	{
		"TumbleCount",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			groups := operators.TumbleCount(in, 2, func(v int) bool { return v < 4 }, 100, add)
			return operators.Map(groups, func(g operators.Group[bool, int]) int { return g.Value })
		},
		[]output{{103, 2}, {103, atEnd}, {104, atEnd}},
	},
	{
		"Chunk",
		func(_ *testing.T, in iter.Seq[int]) iter.Seq[int] {
			return operators.Map(operators.Chunk(in, 3), func(c []int) int { return len(c) })
		},
		[]output{{3, 3}, {1, atEnd}},
	},
}

func firsts[T any](in iter.Seq2[T, error]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range in {
			if !yield(v) {
				return
			}
		}
	}
}

func numbers[T any](in iter.Seq[operators.Numbered[T]]) iter.Seq[int] {
	return operators.Map(in, func(v operators.Numbered[T]) int { return int(v.Number) })
}

func forEach(t *testing.T, f func(t *testing.T, step func(iter.Seq[int]) iter.Seq[int], want []output)) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f(t, func(in iter.Seq[int]) iter.Seq[int] { return c.step(t, in) }, c.want)
			})
		})
	}
}

// Each value comes out while the value it belongs to is fed in, or at the end.
func TestGivesValuesAsTheyCome(t *testing.T) {
	forEach(t, func(t *testing.T, step func(iter.Seq[int]) iter.Seq[int], want []output) {
		var in feed
		var got []output
		ending := func(yield func(int) bool) {
			in.upTo(4)(yield)
			in.pulled = atEnd
		}
		for v := range step(ending) {
			got = append(got, output{v, in.pulled})
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestBreakStopsTheInput(t *testing.T) {
	forEach(t, func(t *testing.T, step func(iter.Seq[int]) iter.Seq[int], want []output) {
		for n := range want { // break after output n
			long := 1000
			if want[n].fed == atEnd {
				long = 4
			}
			var in feed
			var i int
			for range step(in.upTo(long)) {
				if i == n {
					break
				}
				i++
			}
			if fed := min(want[n].fed, long); in.pulled != fed {
				t.Errorf("%d values asked for before the break at output %d, want %d", in.pulled, n+1, fed)
			}
		}
	})
}

func TestEmptyInput(t *testing.T) {
	forEach(t, func(t *testing.T, step func(iter.Seq[int]) iter.Seq[int], _ []output) {
		for v := range step(upTo(0)) {
			t.Errorf("got %v from an empty input", v)
		}
	})
}

func TestStateStartsAfresh(t *testing.T) {
	forEach(t, func(t *testing.T, step func(iter.Seq[int]) iter.Seq[int], want []output) {
		seq := step(upTo(4))
		for range seq {
			break // a range that ends early leaves nothing behind either
		}
		for range 2 {
			got := slices.Collect(seq)
			if !slices.EqualFunc(got, want, func(v int, o output) bool { return v == o.value }) {
				t.Errorf("got %v, want the values of %v", got, want)
			}
		}
	})
}
