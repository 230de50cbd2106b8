package report

import (
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

func TestSummary(t *testing.T) {
	want := "3 of 5 bars hold, 1 of these noisy, 1 missed, 2 failed; goals: 1 of 2 reached."
	r := sample()
	if got := r.Summary(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Options.Margin = 1.5
	want = "3 of 5 bars hold, 1 of these noisy, 1 missed, 2 failed; they were made easier by a factor of 1.50; goals: 1 of 2 reached."
	if got := r.Summary(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoise(t *testing.T) {
	want := "Noise: between its quartiles a ratio with a bar varies by 53 % of its median in the middle row, and by 53 % in the worst (merge: 1,000 <string> keys, put, Headrace against map)."
	if got := sample().Noise(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Report{}).Noise(); got != "Too little was measured to say how noisy it is." {
		t.Errorf("of nothing: got %q", got)
	}
}

func TestBarOf(t *testing.T) {
	for _, tt := range []struct {
		unit string
		bar  bench.Bar
		want string
	}{
		{"ns/op", bench.Bar{Rival: "map", AtMost: 0.8}.Loosen(1.5), "<= 1.2"},
		{"ns/op", bench.Bar{AtMost: 300}, "<= 300 ns/op"},
		{"ratio", bench.Bar{AtMost: 1.1}, "<= 1.1"},
		{"updates/s", bench.Bar{AtLeast: 10e6}, ">= 10 M updates/s"},
		{"allocs/op", bench.Bar{}, "<= 0 allocs/op"},
		{"ns/op", bench.Bar{Rival: "map", AtMost: 0.8, Goal: true}, "goal <= 0.8"},
		{"puts/s", bench.Bar{AtLeast: 30e6, Goal: true}, "goal >= 30 M puts/s"},
	} {
		if got := barOf(bench.Row{Metric: bench.Metric{Unit: tt.unit}, Bar: &tt.bar}); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestSummaryOfFailedGoal checks that a goal whose side failed is counted once:
// the side has a row of its own.
func TestSummaryOfFailedGoal(t *testing.T) {
	goal := &bench.Bar{Metric: "put", AtMost: 1, Goal: true}
	r := Report{Rows: []bench.Row{{Bar: goal, Verdict: bench.Failed}, {Verdict: bench.Failed}}}
	if got, want := r.Summary(), "0 of 0 bars hold, 1 failed; goals: 0 of 1 reached."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
