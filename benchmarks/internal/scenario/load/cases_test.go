package load

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// about is too short for figures that mean something, but all of the code runs.
const about = 5 * time.Millisecond

// TestMeasureAll runs every side once of every case, but of only some that are
// simulated: they differ in numbers alone.
func TestMeasureAll(t *testing.T) {
	for _, c := range Cases(bench.Options{Quick: true}) {
		simulated := strings.HasPrefix(c.Name, "simulated: ")
		if simulated && !strings.Contains(c.Name, "pulling") && !strings.Contains(c.Name, "fifo, 1 server, exp") {
			continue
		}
		t.Run(c.Scenario+"/"+c.Name, func(t *testing.T) {
			for _, s := range c.Sides {
				sample, err := s.Measure(t.Context(), about)
				if err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
				checkSample(t, c, s.Name, sample)
			}
		})
	}
}

func checkSample(t *testing.T, c bench.Case, side string, sample bench.Sample) {
	t.Helper()
	known := make(map[string]bool)
	for _, m := range c.Metrics {
		known[m.Name] = true
	}
	if len(sample) == 0 {
		t.Errorf("%s: nothing measured", side)
	}
	for name, value := range sample {
		if !known[name] || math.IsNaN(value) || math.IsInf(value, 0) {
			t.Errorf("%s: %q is %v; known: %v", side, name, value, known[name])
		}
	}
}

// TestBarsAreAboutWhatIsMeasured: a bar that names no metric or side would
// always hold.
func TestBarsAreAboutWhatIsMeasured(t *testing.T) {
	for _, c := range Cases(bench.Options{}) {
		names := map[string]bool{"": true}
		for _, s := range c.Sides {
			names[s.Name] = true
		}
		for _, m := range c.Metrics {
			names[m.Name] = true
		}
		for _, b := range c.Bars {
			if !names[b.Side] || !names[b.Rival] || !names[b.Metric] || b.Source == "" || b.AtMost == 0 && b.AtLeast == 0 {
				t.Errorf("%s: %s: bar %+v", c.Scenario, c.Name, b)
			}
		}
	}
}

func TestCasesHaveTheirOwnNames(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range Cases(bench.Options{}) {
		name := c.Scenario + ": " + c.Name
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
}
