// Package load measures what happens when more arrives than the consumer can
// take: overload, a consumer that gets slow, and a recorded market.
package load

import (
	"slices"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// Cases returns the scenarios overload, governor and replay.
func Cases(o bench.Options) []bench.Case {
	return slices.Concat(Overload(o), Governor(o), Replay(o))
}
