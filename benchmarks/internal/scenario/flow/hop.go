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

// idle is the pause before each hop, in which the consumer goes to sleep.
const idle = 10 * time.Microsecond

func hop() []bench.Case {
	return []bench.Case{{
		Scenario: "hop",
		Name:     "one value through an idle pipeline",
		About: `Time from the arrival of a 64-byte value until the handler has it, without a metronome; ` +
			`the next value comes when the consumer has been idle for 10 us. ` +
			`The other side is a goroutine that hands the same over an unbuffered channel.`,
		Metrics: []bench.Metric{
			{Name: "p50", Unit: "ns", Less: true},
			{Name: "p99", Unit: "ns", Less: true},
		},
		Sides: []bench.Side{
			{Name: "headrace", Measure: measureHops(hopsThroughPipeline)},
			{Name: "channel, unbuffered", Measure: measureHops(hopsThroughChannel)},
		},
		Bars: bench.Bar{Metric: "p99", Rival: "channel, unbuffered", AtMost: 2, Source: "two hand-overs: into the cache, and to a worker"}.AsGoal(5.4),
	}}
}

// hops is a number of values that go one by one.
type hops struct {
	n       int
	arrived chan struct{}
	times   []time.Duration
}

// pause waits until the value before has arrived and its consumer is idle.
func (h *hops) pause(i int) {
	if i > 0 {
		<-h.arrived
	}
	for start := time.Now(); time.Since(start) < idle; {
		runtime.Gosched()
	}
}

func (h *hops) arrive(at time.Time) {
	h.times = append(h.times, time.Since(at))
	h.arrived <- struct{}{}
}

func measureHops(run func(context.Context, *hops) error) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(ctx context.Context, about time.Duration) (bench.Sample, error) {
		h := &hops{n: max(100, int(about/(25*time.Microsecond))), arrived: make(chan struct{}, 1)}
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
				h.pause(i)
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
			h.pause(i)
			d.At = time.Now()
			ch <- d
		}
	}()
	for d := range ch {
		h.arrive(d.At)
	}
	return nil
}
