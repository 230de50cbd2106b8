package core

import "github.com/headrace/headrace/benchmarks/internal/bench"

// growthCases are about what many keys, producers and workers do to the cache.
func growthCases(o bench.Options) []bench.Case {
	if o.Quick {
		return []bench.Case{
			memoryCase(1_000_000, false),
			trafficCase(1_000, 1, 1),
			trafficCase(100_000, 1, 1),
			trafficCase(100_000, 8, 8),
		}
	}
	cases := []bench.Case{
		memoryCase(1_000, true),
		memoryCase(10_000, true),
		memoryCase(100_000, true),
		memoryCase(1_000_000, true),
	}
	for _, keys := range []int{1_000, 10_000, 100_000, 1_000_000} {
		cases = append(cases, trafficCase(keys, 1, 1))
	}
	for _, n := range []int{2, 4, 8} {
		cases = append(cases,
			trafficCase(100_000, n, 1),
			trafficCase(100_000, 1, n),
			trafficCase(100_000, n, n),
		)
	}
	return cases
}
