package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// The step: at the normal pace of 1000 entries a second the consumer is busy
// for 0.7 of the time while it is well, and can do 238 a second while it is not.
const (
	stepServers = 4
	stepService = 2800 * time.Microsecond
	stepPace    = time.Millisecond
	stepKeys    = 200
	stepArrive  = 4000 // values a second
)

// step is a run with a slow stretch.
type step struct{ well, slow, again time.Duration }

// newStep divides six times what was asked for. A shorter slow stretch than
// that of the least would end before anything is done.
func newStep(about time.Duration) step {
	about = max(about, 40*time.Millisecond)
	return step{about, 3 * about, 2 * about}
}

func (t step) length() time.Duration { return t.well + t.slow + t.again }

// stepSide is a way to protect the consumer.
type stepSide struct {
	name     string
	governed bool
	limited  bool
}

func stepCase() bench.Case {
	c := bench.Case{
		Scenario: "governor",
		Name:     fmt.Sprintf("for real: %d servers of %v, load 0.70", stepServers, stepService),
		About: "A pipeline with an asynchronous consumer, first in first out, that takes six times as long for a while. Rate and latency (lease to done) are of what " +
			"was done then, wait of the time in the cache of it, and rate after of the stretch after the recovery, in which a side with a backlog at the consumer works that off. The fixed divisor is that of the normal pace. " +
			"The limit of Gradient2 begins at the number of servers, with windows of 20 ms. What waits in the cache goes on coalescing; what waits at the consumer does not, and is at most one entry for each of the 200 keys.",
		Metrics: []bench.Metric{
			{Name: "rate", Unit: "entries/s"},
			{Name: "latency p50", Unit: "ms", Less: true},
			{Name: "latency p99", Unit: "ms", Less: true},
			{Name: "wait p99", Unit: "ms", Less: true},
			{Name: "in flight", Unit: "entries", Less: true},
			{Name: "rate after", Unit: "entries/s"},
		},
	}
	for _, s := range []stepSide{
		{name: "governor", governed: true},
		{name: "fixed divisor"},
		{name: "Gradient2", limited: true},
		{name: "governor and Gradient2", governed: true, limited: true},
	} {
		c.Sides = append(c.Sides, bench.Side{Name: s.name, Measure: s.measure})
	}
	return c
}

func (s stepSide) config() pipeline.Config[string, quote] {
	c := pipeline.Config[string, quote]{
		Key:       quote.Symbol,
		Metronome: metronome.Options{Interval: stepPace},
	}
	if s.governed {
		c.Governor = governor.Options{High: 10 * stepService, Base: 1, Max: 20, Parallel: stepServers}
	}
	if s.limited {
		c.Limit = &governor.Windowed{
			Limit:  &governor.Gradient2{Initial: stepServers, Max: 10 * stepServers},
			Window: 20 * time.Millisecond,
		}
	}
	return c
}

func (s stepSide) measure(ctx context.Context, about time.Duration) (bench.Sample, error) {
	p, err := pipeline.New(s.config())
	if err != nil {
		return nil, err
	}
	t, k := newStep(about), newKeys(stepKeys, false)
	start := time.Now()
	consumer := &station{
		service:  stepService,
		slowFrom: start.Add(t.well),
		slowTo:   start.Add(t.well + t.slow),
		end:      start.Add(t.length()),
		busy:     make([]time.Time, stepServers),
	}
	p.ConsumeAsync(func(_ context.Context, _ cache.Entry[string, quote], done func(error)) {
		now := time.Now()
		time.AfterFunc(consumer.hand(now).Sub(now), func() { done(nil) })
	})
	f := &feed{
		keys:   k,
		rate:   stepArrive,
		length: t.length(),
		onHalf: func() {},
		onWarm: func() {},
		start:  start,
	}
	p.Produce(pipeline.Producer[quote]{Source: deliveries(f, func() {})})
	return runStep(ctx, p, t, start)
}

// runStep runs the pipeline and returns what became of the slow stretch.
func runStep(ctx context.Context, p *pipeline.Pipeline[string, quote], t step, start time.Time) (bench.Sample, error) {
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	sleepUntil := func(elapsed time.Duration) { time.Sleep(time.Until(start.Add(elapsed))) }
	sleepUntil(t.well)
	before := p.Stats()
	sleepUntil(t.well + t.slow)
	slow := p.Stats()
	sleepUntil(t.length() - t.again/10) // the rest is for the end of the feed
	after := p.Stats().Since(slow)
	inFlight := slow.Ledger.Leased
	slow = slow.Since(before)
	if err := errors.Join(<-ended, ctx.Err()); err != nil {
		return nil, err
	}
	if slow.Ledger.Done == 0 {
		return nil, errors.New("nothing was done in the slow stretch")
	}
	return bench.Sample{
		"rate":        slow.Out(),
		"latency p50": milliseconds(slow.Service.Quantile(0.5)),
		"latency p99": milliseconds(slow.Service.Quantile(0.99)),
		"wait p99":    milliseconds(slow.Wait.Quantile(0.99)),
		"in flight":   float64(inFlight),
		"rate after":  after.Out(),
	}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
