package kafka

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
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

// run runs a pipeline whose handler takes a while for each entry, and waits
// before that for all of the channels.
func run(t *testing.T, config pipeline.Config[string, quote], producer pipeline.Producer[quote], service time.Duration, wait ...chan struct{}) *running {
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
		for _, c := range wait {
			<-c
		}
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
	c := newCluster(t, 2)
	c.rounds(1, 30)
	r := run(t, pipeline.Config[string, quote]{}, pipeline.Producer[quote]{
		Source: Consume(c.options(), decode), Window: 1000,
	}, 5*ms)
	c.drained()
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

// Without a crash or a rebalance each record counts once. Two members of the
// group share the partitions.
func TestPipelineSums(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	r := run(t, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{Merge: add}}, pipeline.Producer[quote]{
		Source: Consume(c.options(), decode), Window: 1000, Parallel: 2, Partitioned: true,
	}, 5*ms)
	c.members(2)
	for range 30 {
		c.rounds(1, 1)
		time.Sleep(10 * ms)
	}
	c.drained()
	done := r.stop()
	for k := range keys {
		values := done[fmt.Sprint("key", k)]
		if got := sum(values); got != 30 {
			t.Errorf("key %d: %v are %d, want 30", k, values, got)
		}
	}
}

// What waits at the drain deadline comes again.
func TestPipelineDrainTimeout(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.rounds(1, 1)
	r := run(t, pipeline.Config[string, quote]{DrainTimeout: 50 * ms}, pipeline.Producer[quote]{
		Source: Consume(c.options(), decode), Window: 1000,
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
	again := start(t, Consume(c.options(), decode))
	for range left {
		if i := again.next(); len(r.done[i.Value.key]) > 0 {
			t.Errorf("%v was done before", i)
		}
	}
}

// Entries of a partition that went to another member are not processed here.
func TestPipelineRevoked(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.produce(0, "busy 1")
	block := make(chan struct{})
	r := run(t, pipeline.Config[string, quote]{}, pipeline.Producer[quote]{
		Source: Consume(c.options(), decode), Window: 1000,
	}, 0, block)
	r.untilAdmitted(1) // so that it is the one in hand, whatever is fetched first
	for p := range int32(2) {
		c.produce(p, fmt.Sprint("key", p, " 1"))
	}
	r.untilAdmitted(3)
	other := start(t, Consume(c.options(), decode))
	moved := other.next() // of the partition that it was given
	close(block)
	wait(t, "an entry is revoked", func() bool { return r.Stats().Ledger.Revoked > 0 })
	done := r.stop()
	if len(done[moved.Value.key]) != 0 && moved.Value.key != "busy" {
		t.Errorf("%v was processed here as well: %v", moved, done)
	}
	if l := r.Stats().Ledger; l.Revoked != 1 {
		t.Errorf("%d entries were revoked, want 1", l.Revoked)
	}
}

// A member that loses its partition and gets it back does not count the values
// again that still wait or are being processed.
func TestPipelineSumsAfterLoss(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "busy 1", "a 1", "a 1", "a 1")
	var errs errorLog
	o := c.options()
	o.OnError = errs.add
	block := make(chan struct{})
	r := run(t, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{Merge: add}}, pipeline.Producer[quote]{
		Source: Consume(o, decode), Window: 1000,
	}, 0, block)
	r.untilAdmitted(4)
	c.throwOut()
	for len(errs.all()) == 0 {
		time.Sleep(ms)
	}
	c.produce(0, "a 1")
	r.untilAdmitted(5)
	close(block)
	c.drained()
	if done := r.stop(); sum(done["a"]) != 4 || sum(done["busy"]) != 1 {
		t.Errorf("done %v, want 4 and 1", done)
	}
}

// Nor does a source that lets go of its input count again what it had.
func TestPipelineSumsIntermittent(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	r := run(t, pipeline.Config[string, quote]{Cache: cache.Options[string, quote]{Merge: add}}, pipeline.Producer[quote]{
		Source: Consume(c.options(), decode), Window: 1000,
		Intermittent: pipeline.Intermittent{On: 200 * ms, Off: 20 * ms},
	}, 20*ms)
	for range 30 {
		c.rounds(1, 1)
		time.Sleep(20 * ms)
	}
	c.drained()
	done := r.stop()
	for k := range keys {
		values := done[fmt.Sprint("key", k)]
		if got := sum(values); got != 30 {
			t.Errorf("key %d: %v are %d, want 30", k, values, got)
		}
	}
}
