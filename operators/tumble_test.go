package operators_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/headrace/headrace/operators"
	"pgregory.net/rapid"
)

func ExampleTumble() {
	type trade struct {
		at     string // of the day, for brevity
		symbol string
		price  float64
		size   int
	}
	trades := slices.Values([]trade{
		{"14:30:00", "ES", 4810.25, 3},
		{"14:30:12", "NQ", 16900.50, 1},
		{"14:30:40", "ES", 4811.00, 2},
		{"14:30:59", "ES", 4809.75, 4},
		{"14:31:00", "ES", 4810.00, 1}, // closes the bars of both symbols
		{"14:30:58", "NQ", 16901.00, 2},
		{"14:33:05", "ES", 4812.50, 5},
	})
	at := func(t trade) time.Time {
		at, _ := time.Parse(time.TimeOnly, t.at)
		return at
	}
	symbol := func(t trade) string { return t.symbol }

	type bar struct {
		open, high, low, close float64
		volume                 int
	}
	addTo := func(b bar, t trade) bar {
		if b.volume == 0 {
			b = bar{open: t.price, high: t.price, low: t.price}
		}
		return bar{b.open, max(b.high, t.price), min(b.low, t.price), t.price, b.volume + t.size}
	}
	late := func(t trade) { fmt.Println("late:", t.symbol, t.at) }

	for w := range operators.Tumble(trades, time.Minute, at, symbol, bar{}, addTo, late) {
		fmt.Println(w.Start.Format(time.TimeOnly), w.Key, w.Value)
	}
	// Output:
	// 14:30:00 ES {4810.25 4811 4809.75 4809.75 9}
	// 14:30:00 NQ {16900.5 16900.5 16900.5 16900.5 1}
	// late: NQ 14:30:58
	// 14:31:00 ES {4810 4810 4810 4810 1}
	// 14:33:00 ES {4812.5 4812.5 4812.5 4812.5 5}
}

// The last window ends with the input, and not because its time has come.
func ExampleWindow() {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	all := func(int) string { return "all" }
	count := func(n, _ int) int { return n + 1 }
	late := 0
	seconds := slices.Values([]int{1, 4, 9, 12, 2})
	for w := range operators.Tumble(seconds, 10*time.Second, at, all, 0, count, func(int) { late++ }) {
		fmt.Println(w.Key, w.Start.Second(), "to", w.End.Second(), "has", w.Value, "partial:", w.Partial)
	}
	fmt.Println("late:", late)
	// Output:
	// all 0 to 10 has 3 partial: false
	// all 10 to 20 has 1 partial: true
	// late: 1
}

// stamped is a value of a key with a time in nanoseconds.
type stamped struct {
	key, at, id int
}

func (s stamped) when() time.Time { return time.Unix(0, int64(s.at)) }

func (s stamped) of() int { return s.key }

func ids(state []int, s stamped) []int { return append(state, s.id) }

// tumbled is what a model and Tumble are compared by.
func tumbled(in iter.Seq[stamped], width time.Duration) (windows []string, late []int) {
	seq := operators.Tumble(in, width, stamped.when, stamped.of, nil, ids, func(s stamped) { late = append(late, s.id) })
	for w := range seq {
		if w.Start.Add(width) != w.End {
			windows = append(windows, fmt.Sprintf("from %v to %v", w.Start, w.End))
		}
		windows = append(windows, fmt.Sprintf("%d at %d: %v, partial %v", w.Key, w.Start.UnixNano(), w.Value, w.Partial))
	}
	return windows, late
}

// tumbleModel sorts the values into spans first, and looks at keys then.
func tumbleModel(in []stamped, width int) (windows []string, late []int) {
	var starts []int
	spans := make(map[int][]stamped)
	for _, s := range in {
		start := s.at - ((s.at%width)+width)%width
		if len(starts) > 0 && start < slices.Max(starts) {
			late = append(late, s.id)
			continue
		}
		starts = append(starts, start)
		spans[start] = append(spans[start], s)
	}
	starts = slices.Compact(starts)
	for i, start := range starts {
		var keys []int
		values := make(map[int][]int)
		for _, s := range spans[start] {
			if !slices.Contains(keys, s.key) {
				keys = append(keys, s.key)
			}
			values[s.key] = append(values[s.key], s.id)
		}
		for _, k := range keys {
			windows = append(windows, fmt.Sprintf("%d at %d: %v, partial %v", k, start, values[k], i == len(starts)-1))
		}
	}
	return windows, late
}

func TestTumbleAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 12).Draw(t, "width")
		steps := rapid.SliceOfN(rapid.IntRange(-5, 9), 0, 60).Draw(t, "steps") // more forward than back
		in := make([]stamped, len(steps))
		at := -40 // the epoch is crossed
		for i, step := range steps {
			at += step
			in[i] = stamped{rapid.IntRange(0, 3).Draw(t, "key"), at, i}
		}
		windows, late := tumbled(slices.Values(in), time.Duration(width))
		wantWindows, wantLate := tumbleModel(in, width)
		if !slices.Equal(windows, wantWindows) {
			t.Errorf("got windows %q, want %q", windows, wantWindows)
		}
		if !slices.Equal(late, wantLate) {
			t.Errorf("late %v, want %v", late, wantLate)
		}
	})
}

// Times before those that a time.Time counts from are times like any other.
func TestTumbleBeforeTheYearOne(t *testing.T) {
	ancient := time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(v int) time.Time { return ancient.Add(time.Duration(v)) }
	late := 0
	for w := range operators.Tumble(upTo(3), time.Hour, at, even, 0, add, func(int) { late++ }) {
		if w.Start != ancient {
			t.Errorf("window starts at %v, want %v", w.Start, ancient)
		}
	}
	if late > 0 {
		t.Errorf("%d values were late", late)
	}
}

// A window that closes comes out before the value that closes it is folded, so
// that a break there leaves the fold as it was.
func TestTumbleYieldsBeforeItFolds(t *testing.T) {
	var folded []int
	f := func(int, stamped) int { folded = append(folded, len(folded)); return 0 }
	in := slices.Values([]stamped{{at: 1}, {at: 2}, {at: 11}, {at: 12}})
	for range operators.Tumble(in, 10, stamped.when, stamped.of, 0, f, func(stamped) {}) {
		break
	}
	if len(folded) != 2 {
		t.Errorf("%d values folded at the first window, want 2", len(folded))
	}
}
