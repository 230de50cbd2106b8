package main

import (
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// TestAll checks that every case is well-formed, quick or not.
func TestAll(t *testing.T) {
	for _, quick := range []bool{false, true} {
		cases := all(bench.Options{Quick: quick})
		if len(cases) == 0 {
			t.Errorf("quick %v: there are no cases", quick)
		}
		if err := bench.Validate(cases); err != nil {
			t.Errorf("quick %v: %v", quick, err)
		}
		for _, c := range cases {
			if c.About == "" {
				t.Errorf("%s, %s: nothing says what it is about", c.Scenario, c.Name)
			}
		}
	}
}
