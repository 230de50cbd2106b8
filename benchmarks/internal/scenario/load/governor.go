package load

import (
	"context"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/scenario/load/sim"
)

// Names of the sides in simulated time.
const (
	governed  = "governor"
	bestFixed = "best fixed divisor"
	freely    = "free running"
)

// Governor returns the cases of a consumer that gets six times slower: in
// simulated time, which gives the same figures in every run, and one for real.
func Governor(o bench.Options) (cases []bench.Case) {
	for _, c := range asynchronousConsumers(o.Quick) {
		cases = append(cases, asynchronousCase(c))
	}
	for _, c := range pullingConsumers(o.Quick) {
		cases = append(cases, pullingCase(c))
	}
	return append(cases, stepCase())
}

func asynchronousConsumers(quick bool) (all []sim.Consumer) {
	for _, load := range []float64{0.7, 0.35} {
		for _, kind := range []sim.Kind{sim.FIFO, sim.Sharing} {
			for _, servers := range []int{1, 4} {
				for _, exponential := range []bool{false, true} {
					all = append(all, sim.Consumer{Kind: kind, Servers: servers, Exponential: exponential, Load: load, Highs: 10})
				}
			}
		}
		if quick {
			break
		}
	}
	return all
}

func pullingConsumers(quick bool) (all []sim.Consumer) {
	for _, load := range []float64{0.7, 0.35} {
		for _, servers := range []int{1, 4} {
			for _, exponential := range []bool{false, true} {
				all = append(all, sim.Consumer{Kind: sim.Pulling, Servers: servers, Exponential: exponential, Load: load, Highs: 4})
			}
		}
		if quick {
			break
		}
	}
	return all
}

var (
	rateMetric = bench.Metric{Name: "rate", Unit: "entries/s"}
	p99Metric  = bench.Metric{Name: "p99", Unit: "High", Less: true}
	backMetric = bench.Metric{Name: "back at Base", Unit: "s", Less: true}
	backBar    = bench.Bar{Metric: backMetric.Name, AtMost: 2, Source: "an incident does not outlast itself"}
)

func asynchronousCase(c sim.Consumer) bench.Case {
	p99 := 3.0
	if c.Exponential {
		p99 = 7
	}
	return bench.Case{
		Scenario: "governor",
		Name:     "simulated: " + c.String(),
		About: "In simulated time each entry takes six times as long for 20 s; rate and p99 are of these. High is 10 unstressed services. " +
			"The best fixed divisor is the one of the highest rate at no higher p99 than the governor's. " +
			"Stall is what is handed to a consumer that stands still for 5 s, and lost lease the share of a minute's work that one costs.",
		Metrics: []bench.Metric{rateMetric, p99Metric, backMetric, {Name: "stall", Unit: "entries", Less: true}, {Name: "lost lease", Unit: "share", Less: true}},
		Sides: []bench.Side{
			{Name: governed, Measure: simulated(c, governedSample)},
			{Name: bestFixed, Measure: simulated(c, bestFixedSample)},
		},
		Bars: []bench.Bar{
			{Metric: "rate", Rival: bestFixed, AtLeast: 0.95, Source: "as good as knowing the slow consumer beforehand"},
			{Metric: "p99", AtMost: p99, Source: "the queue at the consumer stays short"},
			backBar,
			{Metric: "stall", AtMost: float64(20 + c.Servers), Source: "a consumer that stands still is not buried"},
			{Metric: "lost lease", AtMost: 0.05, Source: "a lease that never ends does not stop the others"},
		},
	}
}

func pullingCase(c sim.Consumer) bench.Case {
	bars := []bench.Bar{
		{Metric: "rate", Rival: freely, AtLeast: 0.85, Source: "a pace costs a busy worker little"},
		backBar,
	}
	if !c.Exponential {
		bars = append(bars, bench.Bar{Metric: "divisor off", AtMost: 0.2, Source: "the workers are just busy at service / (interval x workers)"})
	}
	return bench.Case{
		Scenario: "governor",
		Name:     "simulated: " + c.String(),
		About: "In simulated time each entry takes six times as long for 20 s; rate and p99 are of these. High is 4 unstressed services. " +
			"Free running workers take the next entry when they have done one. Divisor off is how far the divisor was from the one that " +
			"keeps the workers just busy, at most, in the last 10 slow seconds.",
		Metrics: []bench.Metric{rateMetric, p99Metric, backMetric, {Name: "divisor off", Unit: "share", Less: true}},
		Sides: []bench.Side{
			{Name: governed, Measure: simulated(c, governedSample)},
			{Name: freely, Measure: simulated(c, freeSample)},
		},
		Bars: bars,
	}
}

func simulated(c sim.Consumer, sample func(sim.Consumer) (bench.Sample, error)) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(context.Context, time.Duration) (bench.Sample, error) { return sample(c) }
}
