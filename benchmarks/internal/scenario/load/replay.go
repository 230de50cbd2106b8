package load

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/scenario/load/mbo"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

const (
	longestReplay = 2 * time.Second
	replayPace    = 250_000 // updates a second of the consumer when a recording goes as fast as possible
	replayBuffer  = 256     // of the rival's channel
)

// Replay returns the cases of a recorded market at several speeds.
func Replay(o bench.Options) (cases []bench.Case) {
	r := newRecording(o)
	for _, speed := range []float64{1, 100, 0} {
		cases = append(cases, replayCase(r, speed))
	}
	return cases
}

func replayCase(r recording, speed float64) bench.Case {
	name := fmt.Sprintf("%s, the busiest stretch at %gx", r.name, speed)
	pace := "The consumer can take half as many updates as there are."
	if speed == 0 {
		name = r.name + ", all as fast as possible"
		pace = fmt.Sprintf("The consumer takes %d updates a second.", replayPace)
	}
	replay := func(run func(context.Context, stretch, *reader) error) func(context.Context, time.Duration) (bench.Sample, error) {
		return func(ctx context.Context, about time.Duration) (bench.Sample, error) {
			return measureReplay(ctx, r, speed, min(3*about, longestReplay), run)
		}
	}
	return bench.Case{
		Scenario: "replay",
		Name:     name,
		About: "The source builds a book of the orders and yields the levels that change; the consumer keeps a book of what it gets, and both must agree in the end. " +
			pace + " Waits are from the moment an event was due, or was read.",
		Metrics: []bench.Metric{
			{Name: "events", Unit: "events/s"},
			{Name: "updates", Unit: "updates/s"},
			{Name: "conflation", Unit: "share"},
			{Name: "wait p50", Unit: "ms", Less: true},
			{Name: "wait p99", Unit: "ms", Less: true},
		},
		Sides: []bench.Side{
			{Name: "headrace", Measure: replay(replayThroughPipeline)},
			{Name: fmt.Sprintf("channel of %d", replayBuffer), Measure: replay(replayThroughChannel)},
		},
		Release: r.read.Release,
	}
}

func measureReplay(ctx context.Context, r recording, speed float64, length time.Duration, run func(context.Context, stretch, *reader) error) (bench.Sample, error) {
	s, err := r.all()
	rate := float64(replayPace)
	if speed > 0 {
		s, err = r.busiest(speed, length)
		rate = float64(s.levels) / length.Seconds() / 2
	}
	if err != nil {
		return nil, err
	}
	start := time.Now()
	c := &reader{
		pace: pace{start: start, rate: rate},
		book: maps.Clone(s.book.Depth),
		wait: newWaits(),
	}
	var took time.Duration
	s.onEnd = func() {
		took = time.Since(start)
		c.ended.Store(true)
	}
	if err := errors.Join(run(ctx, s, c), ctx.Err()); err != nil {
		return nil, err
	}
	if got := c.updates + c.merged; got != s.levels {
		return nil, fmt.Errorf("%d of %d changes of levels were accounted for", got, s.levels)
	}
	if !maps.Equal(c.book, s.book.Depth) {
		return nil, errors.New("the consumer's book is not that of the source")
	}
	sample := bench.Sample{
		"events":     float64(len(s.events)) / took.Seconds(),
		"conflation": float64(c.merged) / float64(s.levels),
	}
	if c.taken > 0 { // a short recording may end before anything is taken
		sample["updates"] = float64(c.taken) / took.Seconds()
		sample["wait p50"], sample["wait p99"] = c.wait.ms(0.5), c.wait.ms(0.99)
	}
	return sample, nil
}

func replayThroughPipeline(ctx context.Context, s stretch, r *reader) error {
	p, err := pipeline.New(pipeline.Config[mbo.Place, arrival]{Key: arrival.place})
	if err != nil {
		return err
	}
	start := r.pace.start
	p.Produce(pipeline.Producer[arrival]{Source: func(context.Context) iter.Seq2[pipeline.Delivery[arrival], error] {
		return func(yield func(pipeline.Delivery[arrival], error) bool) {
			s.play(start, func(a arrival) bool {
				return ctx.Err() == nil && yield(pipeline.Delivery[arrival]{Value: a, At: a.at}, nil)
			})
		}
	}})
	p.ConsumeBatch(r.pace.batch(), func(_ context.Context, entries []cache.Entry[mbo.Place, arrival]) error {
		for i := range entries {
			e := &entries[i]
			r.read(e.Taken, e.Value.level, e.Inserted(), e.Merged)
		}
		r.took(len(entries))
		return nil
	})
	return p.Run(ctx)
}

func replayThroughChannel(ctx context.Context, s stretch, r *reader) error {
	arrivals := make(chan arrival, replayBuffer)
	start := r.pace.start
	go func() {
		defer close(arrivals)
		s.play(start, func(a arrival) bool {
			arrivals <- a
			return ctx.Err() == nil
		})
	}()
	size := r.pace.batch()
	for a := range arrivals {
		now := time.Now()
		r.read(now, a.level, a.at, 0)
		n := 1
		for ; n < size && len(arrivals) > 0; n++ {
			a := <-arrivals
			r.read(now, a.level, a.at, 0)
		}
		r.took(n)
	}
	return nil
}
