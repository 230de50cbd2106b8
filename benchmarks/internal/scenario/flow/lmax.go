package flow

import "github.com/headrace/headrace/benchmarks/internal/bench"

const lmaxAbout = `The workload of the performance test of LMAX's coalescing ring buffer: one producer puts as fast as it can, ` +
	`values of three words under integer keys; the consumer takes all that waits and then spins for 10 us. ` +
	`Conflation is puts for each value taken. Batches, of which the empty ones do not count, tell whether the consumer got its turn: 100,000 a second at best. ` +
	`Of two sides with as many puts the one with more batches and less conflation is better. ` +
	`Headrace stamps 64 puts with one reading of the clock, which all sides make; in batches it puts these 64 under one lock. ` +
	`The goals in puts a second depend on the machine, so the bars are ratios.`

// inBatches is the side that puts in batches.
const inBatches = "headrace, batches of 64"

func lmax() []bench.Case {
	few := lmaxCase("10 instruments, popularity 1/2, 1/4, ...", 10, popular())
	few.Bars = append(bench.Bar{
		Metric: "puts", Rival: "mutex + map", AtLeast: 0.9,
		Source: "a merge costs at most 1.1 times the assignment to a map under a mutex",
	}.AsGoal(0.65),
		bench.Bar{Metric: "puts", AtLeast: 30e6, Goal: true, Source: "some 33 ns a put"},
		bench.Bar{Metric: "puts", Side: inBatches, AtLeast: 45e6, Goal: true, Source: "a lock for 64 puts instead of for each"},
	)
	many := lmaxCase("1,000 instruments, all alike", 1000, uniform())
	many.About += ` Here the consumer takes some hundred values at a time, so what a take costs counts. ` +
		`The map under a mutex is swapped and keeps no order; the ring looks through all keys that wait.`
	many.Bars = bench.Bar{
		Metric: "puts", Rival: "map + list by hand", AtLeast: 1,
		Source: "no slower than the same order by hand",
	}.AsGoal(0.85)
	return []bench.Case{few, many}
}

func lmaxCase(name string, instruments int, draws []snapshot) bench.Case {
	side := func(name string, open func() (coalescer, error)) bench.Side {
		return bench.Side{Name: name, Measure: measurePuts(instruments, draws, open)}
	}
	return bench.Case{
		Scenario: "lmax",
		Name:     name,
		About:    lmaxAbout,
		Metrics: []bench.Metric{
			{Name: "puts", Unit: "puts/s"},
			{Name: "conflation", Unit: "puts/value", Less: true},
			{Name: "batches", Unit: "batches/s"},
		},
		Sides: []bench.Side{
			side("headrace", func() (coalescer, error) { return newCached(instruments) }),
			side(inBatches, func() (coalescer, error) { return newCachedBatches(instruments) }),
			side("mutex + map", func() (coalescer, error) { return newSwapped(), nil }),
			side("map + list by hand", func() (coalescer, error) { return listed{newConflating[uint64, snapshot]()}, nil }),
			side("coalescing ring", func() (coalescer, error) { return newRing(instruments), nil }),
		},
	}
}
