package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/scenario/core"
	"github.com/headrace/headrace/benchmarks/internal/scenario/flow"
	"github.com/headrace/headrace/benchmarks/internal/scenario/load"
)

// groups are the packages of the scenarios, in the order of the report.
var groups = []func(bench.Options) []bench.Case{core.Cases, flow.Cases, load.Cases}

// all returns the cases of all scenarios.
func all(o bench.Options) []bench.Case {
	var cases []bench.Case
	for _, group := range groups {
		cases = append(cases, group(o)...)
	}
	return cases
}

// scenarioNames returns the scenarios of the cases, in their order.
func scenarioNames(cases []bench.Case) []string {
	var names []string
	for _, c := range cases {
		if !slices.Contains(names, c.Scenario) {
			names = append(names, c.Scenario)
		}
	}
	return names
}

// choose returns the cases of the scenarios with these names, of all if there
// are no names.
func choose(cases []bench.Case, names []string) ([]bench.Case, error) {
	known := scenarioNames(cases)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("-scenario %s: expected one of %s", name, strings.Join(known, ", "))
		}
	}
	if len(names) == 0 {
		return cases, nil
	}
	var chosen []bench.Case
	for _, c := range cases {
		if slices.Contains(names, c.Scenario) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// list prints the scenarios, their cases and who takes part, which is told once
// for all cases that have the same sides.
func list(w io.Writer, cases []bench.Case) {
	scenario, before := "", ""
	for _, c := range cases {
		if c.Scenario != scenario {
			fmt.Fprintln(w, c.Scenario)
			scenario, before = c.Scenario, ""
		}
		names := make([]string, len(c.Sides))
		for i, s := range c.Sides {
			names[i] = s.Name
		}
		sides := strings.Join(names, "; ")
		if sides == before {
			fmt.Fprintf(w, "  %s\n", c.Name)
			continue
		}
		fmt.Fprintf(w, "  %s: %s\n", c.Name, sides)
		before = sides
	}
}
