package flow

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// pauses are what a source does until its next value, when the one before has
// arrived.
const (
	asleep = 50 * time.Microsecond // as one that waits for a network; the processors rest
	awake  = 10 * time.Microsecond // it works, and lets others work
)

func hop() []bench.Case {
	line := bench.Side{Name: "a cache line, core to core", Measure: measureLine}
	limit := bench.Bar{Metric: "p99", Rival: "channel, unbuffered", AtMost: 2, Source: "two hand-overs: into the cache, and to a worker"}
	return []bench.Case{
		hopCase("one value through an idle pipeline",
			"The source sleeps for 50 us before each value, and so does all else: what a hop takes is mostly what the system needs to wake.",
			func() { time.Sleep(asleep) }, nil, limit),
		hopCase("one value through a pipeline that is awake",
			"The source computes for 10 us before each value, so no processor goes to sleep and the caches stay warm: what a hop takes is the work that is done on the way. "+
				"Two threads that wait for each other's number in one word show how far the cores are from each other: some 30 ns where they share a cache, over 100 ns where they do not. "+
				"A virtual machine can move from one to the other within a run, and whatever two cores work on together then takes up to twice as long.",
			busy, []bench.Side{line}, limit.AsGoal(4.5)...),
	}
}

// busy works for a while and lets others work.
func busy() {
	for start := time.Now(); time.Since(start) < awake; {
		runtime.Gosched()
	}
}

func hopCase(name, about string, pause func(), beside []bench.Side, bars ...bench.Bar) bench.Case {
	return bench.Case{
		Scenario: "hop",
		Name:     name,
		About: `Time from the arrival of a 64-byte value until the handler has it, without a metronome. ` + about +
			` Beside it a goroutine hands the same over an unbuffered channel.`,
		Metrics: []bench.Metric{
			{Name: "p50", Unit: "ns", Less: true},
			{Name: "p99", Unit: "ns", Less: true},
		},
		Sides: append([]bench.Side{
			{Name: "headrace", Measure: measureHops(pause, hopsThroughPipeline)},
			{Name: "channel, unbuffered", Measure: measureHops(pause, hopsThroughChannel)},
		}, beside...),
		Bars: bars,
	}
}

// hops is a number of values that go one by one.
type hops struct {
	n       int
	pause   func()
	arrived chan struct{}
	times   []time.Duration
}

// wait returns when it is time for value i: the one before has arrived, and
// after a pause.
func (h *hops) wait(i int) {
	if i > 0 {
		<-h.arrived
	}
	h.pause()
}

func (h *hops) arrive(at time.Time) {
	h.times = append(h.times, time.Since(at))
	h.arrived <- struct{}{}
}

func measureHops(pause func(), run func(context.Context, *hops) error) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(ctx context.Context, about time.Duration) (bench.Sample, error) {
		h := &hops{n: max(100, int(about/(50*time.Microsecond))), pause: pause, arrived: make(chan struct{}, 1)}
		h.times = make([]time.Duration, 0, h.n)
		runtime.GC()
		if err := run(ctx, h); err != nil {
			return nil, err
		}
		if len(h.times) != h.n {
			return nil, fmt.Errorf("flow: %d hops, want %d", len(h.times), h.n)
		}
		slices.Sort(h.times)
		return bench.Sample{"p50": float64(h.times[h.n/2]), "p99": float64(h.times[h.n*99/100])}, nil
	}
}

func hopsThroughPipeline(ctx context.Context, h *hops) error {
	p, err := pipeline.New(pipeline.Config[string, quote]{Key: symbolOf})
	if err != nil {
		return err
	}
	source := func(context.Context) iter.Seq2[pipeline.Delivery[quote], error] {
		return func(yield func(pipeline.Delivery[quote], error) bool) {
			d := pipeline.Delivery[quote]{Value: quote{Symbol: "ACME"}}
			for i := range h.n {
				h.wait(i)
				d.At = time.Now()
				if !yield(d, nil) {
					return
				}
			}
		}
	}
	p.Produce(pipeline.Producer[quote]{Source: source})
	p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
		h.arrive(e.Inserted())
		return nil
	})
	return p.Run(ctx)
}

func hopsThroughChannel(_ context.Context, h *hops) error {
	ch := make(chan pipeline.Delivery[quote])
	go func() {
		defer close(ch)
		d := pipeline.Delivery[quote]{Value: quote{Symbol: "ACME"}}
		for i := range h.n {
			h.wait(i)
			d.At = time.Now()
			ch <- d
		}
	}()
	for d := range ch {
		h.arrive(d.At)
	}
	return nil
}
