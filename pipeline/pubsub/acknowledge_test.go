package pubsub

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/rs/zerolog"
)

// feed is a pipeline behind a broker whose consumer waits for the test: it
// sends each value, and fails with what it is sent back.
type feed struct {
	*broker
	values  chan quote
	results chan error
	stop    context.CancelFunc
	ended   chan error
}

func startFeed(t *testing.T, window int, c pipeline.Config[string, quote]) *feed {
	f := &feed{broker: newBroker(window), values: make(chan quote), results: make(chan error), ended: make(chan error, 1)}
	p := newPipeline(t, c)
	p.Produce(pipeline.Producer[quote]{
		Name: "feed", Source: Subscribe(f.broker, "in", decode),
		Acknowledge: pipeline.AckOnDone, Window: window,
	})
	p.Consume(func(ctx context.Context, e cache.Entry[string, quote]) error {
		select {
		case f.values <- e.Value:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case err := <-f.results:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	var ctx context.Context
	ctx, f.stop = context.WithCancel(t.Context())
	go func() { f.ended <- p.Run(ctx) }()
	synctest.Wait()
	return f
}

// expect receives a value of the consumer, which keeps it.
func (f *feed) expect(t *testing.T, want quote) {
	t.Helper()
	if got := <-f.values; got != want {
		t.Errorf("consumed %v, want %v", got, want)
	}
}

func (f *feed) end(t *testing.T) {
	t.Helper()
	f.stop()
	if err := <-f.ended; err != nil {
		t.Error(err)
	}
	synctest.Wait()
	if f.open() != 0 {
		t.Error("the subscription is open")
	}
}

// A superseded message is acknowledged when its successor is in the cache; that
// one when it is done.
func TestAckOnDoneSuperseded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 3, pipeline.Config[string, quote]{})
		f.send("x 1")
		f.expect(t, quote{"x", 1})
		f.send("a 1")
		f.check(t) // both are held
		f.send("a 2", "a 3")
		f.check(t, "ack a 1", "ack a 2")
		f.results <- nil
		f.expect(t, quote{"a", 3})
		f.check(t, "ack x 1")
		f.results <- nil
		f.check(t, "ack a 3")
		f.end(t)
	})
}

// What is leased is not superseded: it is acknowledged when it is done.
func TestAckOnDoneLeased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 2, pipeline.Config[string, quote]{})
		f.send("a 1")
		f.expect(t, quote{"a", 1})
		f.send("a 2")
		f.check(t)
		f.results <- nil
		f.expect(t, quote{"a", 2})
		f.check(t, "ack a 1")
		f.results <- nil
		f.end(t)
		f.check(t, "ack a 2")
	})
}

func add(waiting, arriving quote) quote { return quote{waiting.key, waiting.n + arriving.n} }

// Under a merge that adds up all messages are held until their sum is done,
// also those that came while it was refused.
func TestAckOnDoneSumHoldsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 5, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{Merge: add}})
		f.send("x 1")
		f.expect(t, quote{"x", 1})
		f.send("a 1", "a 2")
		synctest.Wait()
		f.results <- nil
		f.expect(t, quote{"a", 3})
		f.check(t, "ack x 1")
		f.send("a 4")
		synctest.Wait()
		f.results <- errDown
		f.expect(t, quote{"a", 7})
		f.check(t)
		f.results <- nil
		f.check(t, "ack a 1", "ack a 2", "ack a 4")
		f.end(t)
	})
}

// With more keys than the window has messages nothing can meet, but nothing
// hangs either.
func TestAckOnDoneWindowFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 2, pipeline.Config[string, quote]{})
		f.send("a 1", "b 1", "a 2", "b 2")
		for _, want := range []quote{{"a", 1}, {"b", 1}, {"a", 2}, {"b", 2}} {
			f.expect(t, want)
			f.results <- nil
			synctest.Wait()
		}
		f.end(t)
	})
}

// At the drain deadline what waits and what is in the hands of the consumer is
// refused, so that it is delivered again.
func TestAckOnDoneDrainTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 4, pipeline.Config[string, quote]{DrainTimeout: 20 * ms})
		f.send("a 1", "b 1", "b 2", "c 1")
		f.expect(t, quote{"a", 1})
		f.check(t, "ack b 1")
		f.stop()
		time.Sleep(19 * ms)
		f.check(t)
		var unfinished *pipeline.UnfinishedError
		if err := <-f.ended; !errors.As(err, &unfinished) || *unfinished != (pipeline.UnfinishedError{Waiting: 3}) {
			t.Errorf("got %v", err)
		}
		f.check(t, "nack a 1", "nack b 2", "nack c 1")
	})
}

// A dead entry is acknowledged when the callback has returned.
func TestAckOnDoneDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f *feed
		dead := 0
		f = startFeed(t, 2, pipeline.Config[string, quote]{
			Attempts: 1,
			DeadLetter: func(_ context.Context, e cache.Entry[string, quote], err error) {
				f.check(t)
				if e.Value != (quote{"a", 1}) || !errors.Is(err, errDown) {
					t.Errorf("dead: %v, %v", e.Value, err)
				}
				dead++
			},
		})
		f.send("a 1")
		f.expect(t, quote{"a", 1})
		f.results <- errDown
		time.Sleep(ms)
		f.check(t, "ack a 1")
		if dead != 1 {
			t.Errorf("%d dead", dead)
		}
		f.end(t)
	})
}

// A message that cannot be decoded is acknowledged at once, whatever waits.
func TestAckOnDoneInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 2, pipeline.Config[string, quote]{})
		f.send("a 1")
		f.expect(t, quote{"a", 1})
		f.send("a x")
		f.check(t, "ack a x")
		f.results <- nil
		f.end(t)
	})
}

// Dropped with a report is acknowledged: it would be no better the next time.
func TestAckOnDoneDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := startFeed(t, 9, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{
			Newer:      func(waiting, arriving quote) bool { return arriving.n > waiting.n },
			MaxEntries: 1, Overflow: cache.EvictOldest,
		}})
		f.send("x 1")
		f.expect(t, quote{"x", 1})
		f.send("a 5", "a 4", "b 1")
		f.check(t, "ack a 4", "ack a 5") // stale and evicted
		f.results <- nil
		f.expect(t, quote{"b", 1})
		f.results <- nil
		f.end(t)
	})
}

// The words of a refusal.
func TestAckOnDoneWindowOfOne(t *testing.T) {
	p := newPipeline(t, pipeline.Config[string, quote]{})
	p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(newBroker(1), "in", decode), Acknowledge: pipeline.AckOnDone, Window: 1})
	p.Consume(func(context.Context, cache.Entry[string, quote]) error { return nil })
	err := p.Run(t.Context())
	want := `pipeline: invalid configuration: producer "feed": AckOnDone with a Window of 1 can never merge anything: ` +
		`the source hands out a value only when the one before is acknowledged. Use AckOnAdmit, Parallel sources, or a source with a larger Window`
	if err == nil || err.Error() != want || !errors.Is(err, pipeline.ErrConfig) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The words of a warning.
func TestAckOnDoneHoldLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		o := ConflateOptions{
			Acknowledge: pipeline.AckOnDone, HoldLimit: 30 * time.Second,
			Logger: zerolog.New(&log).Level(zerolog.WarnLevel),
		}
		mustSubscribe(t, t.Context(), closing(mustConflate(t, newBroker(5), o)))
		want := `{"level":"warn","pipeline":"in","producer":"in","hold_limit":30000,"max_age":0,` +
			`"message":"values can outlast hold"}` + "\n"
		if log.String() != want {
			t.Errorf("logged %s, want %s", log.String(), want)
		}
		log.Reset()
		o.Cache.MaxAge = 29 * time.Second
		mustSubscribe(t, t.Context(), closing(mustConflate(t, newBroker(5), o)))
		if log.String() != "" {
			t.Errorf("logged %s", log.String())
		}
	})
}
