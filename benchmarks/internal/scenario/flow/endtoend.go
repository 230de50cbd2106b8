package flow

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// path is a side's way from the feed to the sink. It returns when everything
// has arrived and all that it started has ended.
type path func(ctx context.Context, f *feed, s *sink) error

const endToEndAbout = `Source, map, filter (which drops one in ten), queue and sink, one producer, 64-byte values. ` +
	`Updates per second count what the source sent until the sink has all of it. ` +
	`Sides that conflate may merge updates, and must deliver the last value of each key; the others deliver all. ` +
	`Headrace stamps arrivals in batches of 64, which its source has at hand, and takes batches; the plain side stamps and takes one by one; the others do not stamp. ` +
	`Watermill and Benthos carry the value as bytes. Starting up is not measured, and allocations not before each key has come. ` +
	`Arrived is the share of the updates that reached the sink; 0.9 is all that the filter let through.`

func endToEnd(o bench.Options) []bench.Case {
	most := 1 << 20
	if o.Quick {
		most = 1 << 18
	}
	cases := []bench.Case{
		endToEndCase("1,000 keys", func() *universe { return recurring(1000) }, pathGuards{unbuffered: 3, buffered: 0.75, benthos: 5}),
		endToEndCase("10,000 keys", func() *universe { return recurring(10_000) }, pathGuards{unbuffered: 2.2, buffered: 0.65, benthos: 3.7}),
		endToEndCase("all keys distinct", func() *universe { return distinct(most) }, pathGuards{unbuffered: 1.2, buffered: 0.35, benthos: 2.2}),
	}
	free := bench.Bar{Metric: "allocs", AtMost: 0.01, Source: "none but those of keys that come for the first time, and of stopping"}
	cases[0].Bars = append(cases[0].Bars, free, bench.Bar{Metric: "updates", AtLeast: 10e6, Goal: true, Source: "some 100 ns an update"})
	cases[1].Bars = append(cases[1].Bars, free)
	cases[2].About += fmt.Sprintf(" At most %d updates. Nothing can be merged here, and a cache that grows allocates: "+
		"this is what a conflating queue costs where it is of no use.", most)
	return cases
}

// pathGuards are the limits of the bars: how many times as many updates as channels
// without a buffer, those of 256, and Benthos carry. Beside a goal that is not
// reached reliably they are easier than that.
type pathGuards struct{ unbuffered, buffered, benthos float64 }

func (g pathGuards) bars() []bench.Bar {
	atLeast := func(rival string, ratio, guard float64) []bench.Bar {
		b := bench.Bar{Metric: "updates", Rival: rival, AtLeast: ratio, Source: "merging pays for the way through the cache"}
		if guard < ratio {
			return b.AsGoal(guard)
		}
		return []bench.Bar{b}
	}
	return slices.Concat(
		atLeast("channels, unbuffered", 3, g.unbuffered),
		atLeast("channels of 256", 1, g.buffered),
		atLeast("benthos", 5, g.benthos),
	)
}

func endToEndCase(name string, make func() *universe, g pathGuards) bench.Case {
	u := bench.NewShared(make)
	slow := func(name string, k kind, p path, perMillisecond int) bench.Side {
		return bench.Side{Name: name, Measure: measure(u, k, p, perMillisecond)}
	}
	side := func(name string, k kind, p path) bench.Side { return slow(name, k, p, 0) }
	return bench.Case{
		Scenario: "endtoend",
		Name:     name,
		About:    endToEndAbout,
		Metrics: []bench.Metric{
			{Name: "updates", Unit: "updates/s"},
			{Name: "allocs", Unit: "allocs/update", Less: true},
			{Name: "arrived", Unit: "share", Less: true},
		},
		Sides: []bench.Side{
			side("headrace", counted, throughPipeline),
			side("headrace, plain", counted, throughPlainPipeline),
			side("channels, unbuffered", whole, throughChannels(0)),
			side("channels of 256", whole, throughChannels(256)),
			side("one channel of 256", whole, throughOneChannel),
			side("samber/ro", whole, throughRo),
			slow("watermill", unordered, throughWatermill, 20),
			side("benthos", whole, throughBenthos),
			side("map + list by hand", latest, throughList),
			side("workqueue + map", latest, throughWorkqueue),
			slow("priorityqueue + map", latest, throughPriorityQueue, 500),
		},
		Bars:    g.bars(),
		Release: u.Release,
	}
}

// measure measures a path. A side that no back-pressure reaches sends a number
// of quotes for each millisecond that it should take.
func measure(u *bench.Shared[*universe], k kind, p path, perMillisecond int) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(ctx context.Context, about time.Duration) (bench.Sample, error) {
		f := &feed{universe: u.Get(), about: about}
		if f.draws == nil {
			f.most = len(f.symbols)
		}
		if perMillisecond > 0 {
			f.about, f.most = 0, max(100, perMillisecond*int(about/time.Millisecond))
		}
		s := &sink{last: make([]int, len(f.symbols))}
		var before, after runtime.MemStats
		from := 0
		f.began = func() {
			runtime.ReadMemStats(&before)
			from = f.sent
		}
		runtime.GC()
		if err := p(ctx, f, s); err != nil {
			return nil, err
		}
		elapsed := f.elapsed()
		runtime.ReadMemStats(&after)
		if err := s.check(f, k); err != nil {
			return nil, err
		}
		return bench.Sample{
			"updates": float64(f.sent) / elapsed.Seconds(),
			"allocs":  float64(after.Mallocs-before.Mallocs) / float64(max(1, f.sent-from)),
			"arrived": float64(s.count) / float64(f.sent),
		}, nil
	}
}
