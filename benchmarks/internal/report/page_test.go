package report

import (
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// TestMarks checks that a chart shows the hardest bar and the hardest goal of a
// side, as figures of its metric.
func TestMarks(t *testing.T) {
	row := func(metric, side string, rival float64, b bench.Bar) bench.Row {
		r := bench.Row{Metric: bench.Metric{Name: metric}, Side: side, Bar: &b}
		if rival > 0 {
			r.Rival, r.RivalFigure = "b", bench.NewStat([]float64{rival})
		}
		return r
	}
	rows := []bench.Row{
		{Metric: bench.Metric{Name: "put"}, Side: "a"},
		row("put", "a", 100, bench.Bar{AtMost: 0.9}),
		row("put", "a", 0, bench.Bar{AtMost: 80}),
		row("put", "a", 50, bench.Bar{AtMost: 2}),
		row("put", "a", 100, bench.Bar{AtMost: 0.5, Goal: true}),
		row("put", "b", 0, bench.Bar{AtMost: 1}),
		row("updates", "a", 100, bench.Bar{AtLeast: 0.9}),
		row("updates", "a", 30, bench.Bar{AtLeast: 5}),
	}
	for _, tt := range []struct {
		metric, side string
		bar, goal    float64
	}{
		{"put", "a", 80, 50},
		{"put", "b", 1, 0},
		{"updates", "a", 150, 0},
		{"updates", "b", 0, 0},
	} {
		bar, goal := marks(rows, tt.metric, tt.side)
		if bar != tt.bar || goal != tt.goal {
			t.Errorf("%s of %s: got %v and %v, want %v and %v", tt.metric, tt.side, bar, goal, tt.bar, tt.goal)
		}
	}
}
