package core

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Each side does its work once, gives every metric of its case, and leaves
// nothing running.
func TestEverySideMeasuresEveryMetric(t *testing.T) {
	for _, c := range Cases(bench.Options{Quick: true}) {
		if large(c) {
			continue
		}
		t.Run(c.Scenario+"/"+c.Name, func(t *testing.T) {
			for _, s := range c.Sides {
				sample, err := s.Measure(t.Context(), 5*time.Millisecond)
				if err != nil {
					t.Errorf("%s: %v", s.Name, err)
					continue
				}
				checkSample(t, c, s.Name, sample)
			}
		})
	}
}

// large cases take seconds, and do no other work than smaller ones.
func large(c bench.Case) bool { return c.Name == "memory of 1,000,000 waiting keys" }

func checkSample(t *testing.T, c bench.Case, side string, sample bench.Sample) {
	t.Helper()
	for _, m := range c.Metrics {
		v, ok := sample[m.Name]
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			t.Errorf("%s: %s is %v, present %v", side, m.Name, v, ok)
		}
		if v == 0 && m.Name != allocated && m.Name != "given back" {
			t.Errorf("%s: %s is 0", side, m.Name)
		}
	}
	if len(sample) != len(c.Metrics) {
		t.Errorf("%s: %v has %d figures, want %d", side, sample, len(sample), len(c.Metrics))
	}
}

// A bar that names something that is not there would never fail.
func TestBarsNameWhatIsThere(t *testing.T) {
	for _, quick := range []bool{true, false} {
		for _, c := range Cases(bench.Options{Quick: quick}) {
			metrics, sides := map[string]bool{}, map[string]bool{"": true}
			for _, m := range c.Metrics {
				metrics[m.Name] = true
			}
			for _, s := range c.Sides {
				sides[s.Name] = true
			}
			for _, b := range c.Bars {
				if !metrics[b.Metric] || !sides[b.Side] || !sides[b.Rival] {
					t.Errorf("%s, %s: bar %+v names something else", c.Scenario, c.Name, b)
				}
				if (b.AtMost == 0) == (b.AtLeast == 0) {
					t.Errorf("%s, %s: bar %+v wants one limit", c.Scenario, c.Name, b)
				}
			}
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases(bench.Options{}) {
		name := c.Scenario + "/" + c.Name
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
}

func ExampleCases() {
	last := ""
	for _, c := range Cases(bench.Options{Quick: true}) {
		if c.Scenario != last {
			fmt.Println(c.Scenario)
			last = c.Scenario
		}
	}
	// Output:
	// merge
	// cycle
	// growth
	// limits
}
