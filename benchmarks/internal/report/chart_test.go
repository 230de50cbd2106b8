package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// TestChart checks the lengths of the bars, and that every colour follows the
// page.
func TestChart(t *testing.T) {
	svg, err := chart([]bar{
		{name: "Headrace", own: true, stat: bench.NewStat([]float64{50}), bar: 80, goal: 20},
		{name: "a queue whose name is longer than the chart has place for", stat: bench.NewStat([]float64{100})},
		{name: "tiny", stat: bench.NewStat([]float64{0.001})},
	}, "ns/op")
	if err != nil {
		t.Fatal(err)
	}
	got := string(svg)
	if strings.Contains(got, "rgb") {
		t.Errorf("there is a colour of its own in %s", got)
	}
	for ink, want := range map[string][]string{
		"var(--own)":   {"170"},
		"var(--rival)": {"340", "2"},
		"var(--bar)":   {"274"},
		"var(--goal)":  {"70"},
	} {
		path := regexp.MustCompile(`d="M \d+ \d+\s+L (\d+) [^"]*" style="[^"]*fill:` + regexp.QuoteMeta(ink))
		var ends []string
		for _, m := range path.FindAllStringSubmatch(got, -1) {
			ends = append(ends, m[1])
		}
		if strings.Join(ends, " ") != strings.Join(want, " ") {
			t.Errorf("%s ends at %q, want %q", ink, ends, want)
		}
	}
	if !strings.Contains(got, ">a queue whose name") || !strings.Contains(got, "…<") {
		t.Error("the long name is not clipped")
	}
	if !strings.Contains(got, "50 ns/op") {
		t.Error("the figure is missing")
	}
}

func TestChartOfZeroes(t *testing.T) {
	svg, err := chart([]bar{{name: "Headrace", stat: bench.NewStat([]float64{0, 0})}}, "allocs/op")
	if err != nil || strings.Contains(string(svg), "NaN") {
		t.Errorf("got %v, %s", err, svg)
	}
}
