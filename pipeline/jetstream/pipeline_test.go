package jetstream

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	js "github.com/nats-io/nats.go/jetstream"
)

// running is a pipeline at work.
type running struct {
	*pipeline.Pipeline[string, quote]
	t      *testing.T
	cancel context.CancelFunc
	ended  chan error

	mu   sync.Mutex
	done map[string][]int // processed values, by key
}

// run runs a pipeline whose handler takes a while for each entry.
func run(t *testing.T, config pipeline.Config[string, quote], producer pipeline.Producer[quote], service time.Duration) *running {
	t.Helper()
	config.Key = quote.Key
	p, err := pipeline.New(config)
	if err != nil {
		t.Fatal(err)
	}
	producer.Acknowledge = pipeline.AckOnDone
	p.Produce(producer)
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{Pipeline: p, t: t, cancel: cancel, ended: make(chan error, 1), done: make(map[string][]int)}
	p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
		time.Sleep(service)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done[e.Key] = append(r.done[e.Key], e.Value.n)
		return nil
	})
	go func() { r.ended <- p.Run(ctx) }()
	t.Cleanup(cancel)
	return r
}

// untilAdmitted waits until so many values are in the cache or beyond.
func (r *running) untilAdmitted(n uint64) {
	r.t.Helper()
	for began := time.Now(); r.Stats().Producers[0].Admitted < n; time.Sleep(ms) {
		if time.Since(began) > 20*time.Second {
			r.t.Fatalf("%d were admitted, want %d", r.Stats().Producers[0].Admitted, n)
		}
	}
}

// stop ends the pipeline and returns what it has processed.
func (r *running) stop() map[string][]int {
	r.t.Helper()
	r.cancel()
	if err := <-r.ended; err != nil {
		r.t.Error(err)
	}
	return r.done
}

// Values of a key meet in the cache, and all that were published are done or
// superseded when the run has ended.
func TestPipelineLatest(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: time.Second})
	for n := 1; n <= 30; n++ {
		b.publishRound(n)
	}
	r := run(t, pipeline.Config[string, quote]{}, pipeline.Producer[quote]{
		Source: Consume(c, Options{}, decode), Window: Window(c),
	}, 5*ms)
	b.drained(c)
	done := r.stop()
	for k := range keys {
		values := done[fmt.Sprint("key", k)]
		if len(values) == 0 || values[len(values)-1] != 30 {
			t.Errorf("key %d: done %v, want 30 at last", k, values)
		}
	}
	if l := r.Stats().Ledger; l.Merged < 15*keys {
		t.Errorf("of %d values only %d were merged", 30*keys, l.Merged)
	}
}

// Without a crash each message counts once, though entries wait for longer
// than AckWait and the input is let go of meanwhile.
func TestPipelineSums(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: time.Second})
	r := run(t, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{Merge: add}}, pipeline.Producer[quote]{
		Source: Consume(c, Options{}, decode), Window: Window(c),
		Intermittent: pipeline.Intermittent{On: 300 * ms, Off: 50 * ms},
	}, 150*ms)
	for range 30 {
		b.publishRound(1)
		time.Sleep(20 * ms)
	}
	b.drained(c)
	done := r.stop()
	for k := range keys {
		values := done[fmt.Sprint("key", k)]
		if got := sum(values); got != 30 {
			t.Errorf("key %d: %v are %d, want 30", k, values, got)
		}
	}
	if info, err := c.Info(t.Context()); err != nil || info.AckFloor.Stream != 30*keys {
		t.Errorf("%+v, %v", info, err)
	}
}

// What waits at the drain deadline comes again.
func TestPipelineDrainTimeout(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publishRound(1)
	r := run(t, pipeline.Config[string, quote]{DrainTimeout: 50 * ms}, pipeline.Producer[quote]{
		Source: Consume(c, Options{NackDelay: ms}, decode), Window: Window(c),
	}, 100*ms)
	r.untilAdmitted(keys)
	r.cancel()
	if err := <-r.ended; err == nil {
		t.Error("want an error about what is left")
	}
	left := keys - len(r.done)
	if left == 0 {
		t.Fatal("all was done")
	}
	again := open(t, Consume(c, Options{}, decode))
	for range left {
		if i := again.next(); len(r.done[i.Value.key]) > 0 {
			t.Errorf("%v was done before", i)
		}
	}
}
