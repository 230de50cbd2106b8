package flow

import (
	"math"
	"testing"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Every side of every case does its work, and measures each metric.
func TestCases(t *testing.T) {
	for _, c := range Cases(bench.Options{Quick: true}) {
		for _, side := range c.Sides {
			t.Run(c.Scenario+"/"+c.Name+"/"+side.Name, func(t *testing.T) {
				sample, err := side.Measure(t.Context(), 5*time.Millisecond)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range c.Metrics {
					got, ok := sample[m.Name]
					if !ok || got < 0 || math.IsNaN(got) || math.IsInf(got, 0) {
						t.Errorf("%s is %v", m.Name, got)
					}
					if got == 0 && m.Name != "allocs" {
						t.Errorf("%s is 0", m.Name)
					}
				}
			})
		}
	}
}

func TestValid(t *testing.T) {
	if err := bench.Validate(Cases(bench.Options{})); err != nil {
		t.Error(err)
	}
}
