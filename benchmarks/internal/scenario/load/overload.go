package load

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// channelSize is the buffer of the rivals' channels.
const channelSize = 1024

// overload is a load: its keys, how much more arrives than the consumer can
// take, and how much that is.
type overload struct {
	keys  int
	zipf  bool
	times float64
	out   float64 // entries a second
	bars  bool
	fill  bool // begin with a value of each key
}

var quickOverloads = []overload{
	{keys: 10_000, times: 10, out: 100_000, bars: true},
	{keys: 10_000, zipf: true, times: 10, out: 100_000, bars: true},
	{keys: 1000, times: 2, out: 50_000},
	{keys: 100, zipf: true, times: 100, out: 5000},
}

var moreOverloads = []overload{
	{keys: 100, zipf: true, times: 2, out: 2000},
	{keys: 1000, times: 100, out: 20_000},
	{keys: 10_000, times: 2, out: 100_000},
	{keys: 10_000, zipf: true, times: 100, out: 10_000},
	{keys: 100_000, times: 10, out: 100_000},
	{keys: 100_000, zipf: true, times: 10, out: 100_000},
	{keys: 1_000_000, times: 2, out: 250_000, fill: true},
}

// Overload returns the cases of too much input.
func Overload(o bench.Options) (cases []bench.Case) {
	loads := quickOverloads
	if !o.Quick {
		loads = append(loads[:len(loads):len(loads)], moreOverloads...)
	}
	for _, l := range loads {
		cases = append(cases, l.benchCase())
	}
	return cases
}

func (l overload) String() string {
	distribution := "uniform"
	if l.zipf {
		distribution = "Zipf"
	}
	return fmt.Sprintf("%gx of a consumer of %.0f/s, %d keys, %s", l.times, l.out, l.keys, distribution)
}

// length is how long to measure: five times what is asked for, so that all keys
// have their turn more than once, but not much longer than that takes.
func (l overload) length(about time.Duration) time.Duration {
	const shortest = 50 * time.Millisecond
	if l.fill {
		about *= 2
	}
	longest := time.Duration(float64(l.keys) / l.out * float64(time.Second))
	return min(max(5*about, shortest), 4*longest)
}

func (l overload) benchCase() bench.Case {
	made := bench.NewShared(func() keys { return newKeys(l.keys, l.zipf) })
	c := bench.Case{
		Scenario: "overload",
		Name:     l.String(),
		About: "Waits are from the moment a value was due, so that a side which blocks its source is charged for it; " +
			"they are of what is taken before the source ends. The bound is the most entries that waited, divided by the rate of the consumer. Wait / drain compares each entry with the time in which the consumer last took as many: " +
			"where it is near 1 and p99 / bound is not, the machine stalled and nothing was held back. Memory is what the heap grew by, for each value that came in.",
		Metrics: overloadMetrics,
		Sides:   l.sides(made),
		Release: made.Release,
	}
	if l.bars {
		c.Bars = l.overloadBars()
	}
	return c
}

var overloadMetrics = []bench.Metric{
	{Name: "in", Unit: "values/s"},
	{Name: "out", Unit: "entries/s"},
	{Name: "conflation", Unit: "share"},
	{Name: "waiting", Unit: "entries", Less: true},
	{Name: "wait p50", Unit: "ms", Less: true},
	{Name: "wait p99", Unit: "ms", Less: true},
	{Name: "wait max", Unit: "ms", Less: true},
	{Name: "age p99", Unit: "ms", Less: true},
	{Name: "p99 / bound", Unit: "ratio", Less: true},
	{Name: "p99 of wait / drain", Unit: "ratio", Less: true},
	{Name: "hot / cold", Unit: "ratio", Less: true},
	{Name: "memory", Unit: "B/value", Less: true},
	{Name: "final values", Unit: "share"},
}

func (l overload) overloadBars() []bench.Bar {
	bars := []bench.Bar{
		{Metric: "in", AtLeast: 0.9 * l.times * l.out, Source: "under less load than it says the case would show nothing; 10 % for chance"},
		{Metric: "p99 / bound", AtMost: 1.1, Source: "what waits first goes first: nothing waits longer than all that waits takes"},
		{Metric: "memory", AtMost: 8, Source: "flat: a queue would keep the 64 bytes of each value"},
		{Metric: "final values", AtLeast: 1, Source: "conflation loses no last value"},
	}
	if l.zipf {
		bars = append(bars, bench.Bar{Metric: "hot / cold", AtMost: 1.1, Source: "an update does not change the place of a key; 10 % for chance"})
	}
	return bars
}

func (l overload) sides(made *bench.Shared[keys]) []bench.Side {
	measure := func(run func(context.Context, *overloaded) error) func(context.Context, time.Duration) (bench.Sample, error) {
		return func(ctx context.Context, about time.Duration) (bench.Sample, error) {
			o := newOverloaded(made.Get(), l.out*l.times, l.out, l.length(about))
			o.feed.fill = l.fill
			if err := run(ctx, o); err != nil {
				return nil, err
			}
			return o.sample(ctx, l.zipf)
		}
	}
	through := func(make func() line) func(context.Context, time.Duration) (bench.Sample, error) {
		return measure(func(ctx context.Context, o *overloaded) error { return o.throughLine(ctx, make()) })
	}
	return []bench.Side{
		{Name: "headrace", Measure: measure(func(ctx context.Context, o *overloaded) error { return o.throughPipeline(ctx) })},
		{Name: "channel that blocks", Measure: through(func() line { return newChannel(channelSize, false) })},
		{Name: "channel that drops", Measure: through(func() line { return newChannel(channelSize, true) })},
		{Name: "latest by hand", Measure: through(func() line { return newLatest() })},
	}
}
