package flow

import (
	"slices"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Cases returns the cases of the package.
func Cases(o bench.Options) []bench.Case {
	return slices.Concat(endToEnd(o), hop(), lmax())
}
