// Package core measures what a single operation costs: the scenarios merge,
// cycle, growth and limits. Each side does the same work on the same data, and
// each measurement checks afterwards that the work was done.
//
// Values are structs of 64 bytes. Times of arrival are handed in, as a pipeline
// does: one reading of the clock alone costs some 40 ns on a virtual machine.
package core

import (
	"slices"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Cases returns the cases of all four scenarios.
func Cases(o bench.Options) []bench.Case {
	return slices.Concat(mergeCases(o), cycleCases(), growthCases(o), limitsCases())
}
