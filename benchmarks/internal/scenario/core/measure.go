package core

import (
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// stretches is how often a measurement repeats the work. Its figure is the lower
// quartile: other processes move it only when they take most of the time.
const stretches = 9

// step is what the number of operations of a stretch is a multiple of, so that
// work in batches of 64 comes out even.
const step = 64

// measure returns what one operation of work costs, by the name of the metric,
// and what it allocates. It calls work, which goes on where it left off, with
// the number of operations to do, for about the time given.
//
// The allocations are those of the stretch with the fewest: the runtime counts
// for the whole process, so a progress bar would be counted in.
func measure(about time.Duration, metric string, work func(n int) error) (bench.Sample, error) {
	runtime.GC() // the setup's garbage
	n, err := calibrate(about*3/4/stretches, work)
	if err != nil {
		return nil, err
	}
	times := make([]float64, stretches)
	allocations := math.Inf(1)
	for i := range times {
		before := mallocs()
		took, err := timed(n, work)
		if err != nil {
			return nil, err
		}
		times[i] = float64(took) / float64(n)
		allocations = min(allocations, float64(mallocs()-before)/float64(n))
	}
	slices.Sort(times)
	return bench.Sample{metric: times[stretches/4], allocated: allocations}, nil
}

// calibrate returns how many operations take about the time given, by doubling
// until the time can be told.
func calibrate(about time.Duration, work func(n int) error) (int, error) {
	for n := step; ; n *= 2 {
		took, err := timed(n, work)
		if err != nil {
			return 0, err
		}
		if took >= about/4 {
			n = int(float64(n) * float64(about) / float64(took))
			return max(1, n/step) * step, nil
		}
	}
}

func timed(n int, work func(n int) error) (time.Duration, error) {
	start := time.Now()
	err := work(n)
	return time.Since(start), err
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

const allocated = "allocations"

// costs are the metrics of measure.
func costs(metric string) []bench.Metric {
	return []bench.Metric{
		{Name: metric, Unit: "ns/op", Less: true},
		{Name: allocated, Unit: "allocs/op", Less: true},
	}
}

// noAllocations is the bar of every path that values take. A limit of 0 cannot
// be told from none, and the runtime itself allocates now and then.
func noAllocations(side string) bench.Bar {
	return bench.Bar{Metric: allocated, Side: side, AtMost: 0.001, Source: "nothing is allocated"}
}
