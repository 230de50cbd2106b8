package pipeline

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// signed makes steps of one instant, whose receipts note how they are settled.
func signed(d *diary, when time.Duration, items ...item) []step {
	steps := at(when, items...)
	for n := range steps {
		steps[n].receipt = slip{d, steps[n].item.String()}
	}
	return steps
}

// runOnDone runs a pipeline whose producer acknowledges what is done, until the
// end of its source or 100 ms, and notes the end.
func runOnDone(t *testing.T, d *diary, c Config[string, item], source Source[item], h Handler[string, item]) *Pipeline[string, item] {
	t.Helper()
	p := mustNew(t, c)
	p.Produce(Producer[item]{Name: "feed", Source: source, Acknowledge: AckOnDone})
	p.Consume(h)
	err := p.Run(cancelAt(t, 100*ms))
	d.note("end %v", err)
	checkBalance(t, p)
	return p
}

// A superseded value is acknowledged when its successor is in the cache, one
// that is leased when it is done.
func TestAcknowledgeDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		source := script(50*ms,
			signed(d, 0, item{"a", 1}),
			signed(d, 5*ms, item{"a", 2}, item{"b", 1}),
			signed(d, 7*ms, item{"a", 3}))
		runOnDone(t, d, Config[string, item]{}, source, d.reader(10*ms))
		d.check(t, "0s a1", "7ms ack a2", "10ms ack a1", "10ms a3", "20ms ack a3", "20ms b1", "30ms ack b1", "50ms end <nil>")
	})
}

// With AckOnAdmit each value is acknowledged when it is in the cache.
func TestAcknowledgeAdmitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(50*ms, signed(d, 0, item{"a", 1}), signed(d, 5*ms, item{"a", 2}), signed(d, 6*ms, item{"a", 3}))})
		p.Consume(func(handling, entry) error { time.Sleep(10 * ms); return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.check(t, "0s ack a1", "5ms ack a2", "6ms ack a3")
	})
}

func sumItems(waiting, arriving item) item { return item{waiting.key, waiting.n + arriving.n} }

// Under a merge that adds up all that was merged is held until the sum is done.
func TestAcknowledgeSum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Cache: cache.Options[string, item]{Merge: sumItems}}
		source := script(50*ms, signed(d, 0, item{"a", 1}), signed(d, 5*ms, item{"a", 2}), signed(d, 6*ms, item{"a", 3}))
		runOnDone(t, d, c, source, d.reader(10*ms))
		d.check(t, "0s a1", "10ms ack a1", "10ms a5", "20ms ack a2", "20ms ack a3", "50ms end <nil>")
	})
}

// A failed entry keeps its receipts, and shares those of a sum that it joins.
func TestAcknowledgeFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Cache: cache.Options[string, item]{Merge: sumItems}, Backoff: Backoff{First: 10 * ms}}
		source := script(50*ms, signed(d, 0, item{"a", 1}), signed(d, 5*ms, item{"a", 2}))
		runOnDone(t, d, c, source, func(_ handling, e entry) error {
			d.note("%v", e.Value)
			time.Sleep(10 * ms)
			if e.Attempts == 1 {
				return errBoom
			}
			return nil
		})
		d.check(t, "0s a1", "20ms a3", "30ms ack a1", "30ms ack a2", "50ms end <nil>")
	})
}

// A dead entry is acknowledged after the callback.
func TestAcknowledgeDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Attempts: 1, DeadLetter: func(_ handling, e entry, err error) {
			time.Sleep(ms)
			d.note("dead %v %v", e.Value, err)
		}}
		runOnDone(t, d, c, script(5*ms, signed(d, 0, item{"a", 1})), func(handling, entry) error { return errBoom })
		d.check(t, "1ms dead a1 boom", "1ms ack a1", "5ms end <nil>")
	})
}

// What is stale, evicted or expired is acknowledged, after it was reported.
func TestAcknowledgeDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		o := cache.Options[string, item]{
			Newer:      func(waiting, arriving item) bool { return arriving.n > waiting.n },
			MaxEntries: 1, Overflow: cache.EvictOldest, MaxAge: 9 * ms, Expiry: cache.Drop,
			OnDrop: func(e entry, r cache.Reason) { d.note("%v %v", e.Value, r) },
		}
		source := script(50*ms, signed(d, 0, item{"a", 5}), signed(d, ms, item{"a", 4}, item{"b", 1}, item{"c", 1}))
		runOnDone(t, d, Config[string, item]{Cache: o}, source, d.reader(20*ms))
		d.check(t, "0s a5", "1ms a4 stale", "1ms ack a4", "1ms b1 evicted", "1ms ack b1",
			"20ms ack a5", "20ms c1 expired", "20ms ack c1", "50ms end <nil>")
	})
}

// A value that is refused is not acknowledged; one that is invalid is at once.
func TestAcknowledgeRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		o := cache.Options[string, item]{MaxEntries: 1, Overflow: cache.Reject}
		bad := signed(d, ms, item{"bad", 1})
		bad[0].err = ErrInvalid
		source := script(50*ms, signed(d, 0, item{"a", 1}), signed(d, ms, item{"b", 1}, item{"c", 1}), bad)
		runOnDone(t, d, Config[string, item]{Cache: o}, source, d.reader(10*ms))
		d.check(t, "0s a1", "1ms nack c1", "1ms ack bad1", "10ms ack a1", "10ms b1", "20ms ack b1", "50ms end <nil>")
	})
}

// At the drain deadline what waits is refused, after what was in the hands of
// handlers has come back, and before the source ends.
func TestAcknowledgeDrainTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		steps := script(forever, signed(d, 0, item{"a", 1}), signed(d, ms, item{"a", 2}, item{"b", 1}), signed(d, 101*ms, item{"c", 1}))
		source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for v, err := range steps(ctx) {
					if !yield(v, err) {
						break
					}
				}
				d.note("source ends")
			}
		}
		runOnDone(t, d, Config[string, item]{DrainTimeout: 30 * ms}, source, func(ctx handling, e entry) error {
			<-ctx.Done()
			return ctx.Err()
		})
		// a1 came back, and a2 that was newer superseded it.
		slices.Sort(d.lines[1:3])
		d.check(t, "130ms ack a1", "130ms nack a2", "130ms nack b1", "130ms nack c1", "130ms source ends",
			"130ms end pipeline: entries left behind: 2 waiting, 0 in handlers")
	})
}

// A value that waits for room until the deadline is refused, and the source is
// not opened again after that.
func TestAcknowledgeNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		steps := script(forever, signed(d, 0, item{"a", 1}), signed(d, ms, item{"b", 1}, item{"c", 1}))
		source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			d.note("source")
			return steps(ctx)
		}
		c := Config[string, item]{DrainTimeout: 30 * ms, Cache: cache.Options[string, item]{MaxEntries: 1}}
		runOnDone(t, d, c, source, func(ctx handling, e entry) error {
			<-ctx.Done()
			return ctx.Err()
		})
		slices.Sort(d.lines)
		d.check(t, "0s source", "130ms end pipeline: entries left behind: 2 waiting, 0 in handlers",
			"130ms nack a1", "130ms nack b1", "130ms nack c1")
	})
}

// The values that a chain makes of one delivery settle it together.
func TestAcknowledgeVia(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		source := Via(script(50*ms, signed(d, 0, item{"a", 1})), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range in {
					if !yield(i) || !yield(item{"b", i.n}) {
						return
					}
				}
			}
		})
		runOnDone(t, d, Config[string, item]{}, source, d.reader(10*ms))
		d.check(t, "0s a1", "10ms b1", "20ms ack a1", "50ms end <nil>")
	})
}

// Each entry of a batch is acknowledged as it fares.
func TestAcknowledgeBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Attempts: 1})
		p.Produce(Producer[item]{Source: script(50*ms, signed(d, 0, item{"x", 1}), signed(d, ms, item{"a", 1}, item{"b", 1})), Acknowledge: AckOnDone})
		p.ConsumeBatch(2, func(_ handling, entries []entry) error {
			time.Sleep(10 * ms)
			if len(entries) == 1 {
				return nil
			}
			time.Sleep(ms)
			return BatchErrors{errBoom, nil}
		})
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.check(t, "10ms ack x1", "21ms ack b1", "21ms ack a1")
	})
}

// taken is a receipt that the source takes back.
type taken struct {
	slip
	revoked bool
}

func (r *taken) Revoked() bool { return r.revoked }

// What the source has taken back is neither handled nor settled.
func TestAcknowledgeRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		steps := at(ms, item{"a", 1})
		receipt := &taken{slip: slip{d, "a1"}}
		steps[0].receipt = receipt
		o := cache.Options[string, item]{OnDrop: func(e entry, r cache.Reason) { d.note("%v %v", e.Value, r) }}
		source := script(50*ms, signed(d, 0, item{"x", 1}), steps)
		p := runOnDone(t, d, Config[string, item]{Cache: o}, source, func(_ handling, e entry) error {
			d.note("%v", e.Value)
			time.Sleep(10 * ms)
			receipt.revoked = true
			return nil
		})
		d.check(t, "0s x1", "10ms ack x1", "10ms a1 revoked", "50ms end <nil>")
		if l := p.Stats().Ledger; l.Revoked != 1 || l.Done != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// A receipt whose turn comes in the cache, since a newer value has replaced its
// own, may panic: that does not concern the newer one, nor the worker.
func TestReceiptPanicsInTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every})
		fails := func() { panic("ack") }
		p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: yielding(
			Delivery[item]{Value: item{"b", 1}, Receipt: ill{slip{d, "b1"}, fails}},
			Delivery[item]{Value: item{"b", 2}, Receipt: slip{d, "b2"}},
			Delivery[item]{Value: item{"c", 1}, Receipt: ill{slip{d, "c1"}, fails}},
		)})
		p.Consume(func(_ context.Context, e entry) error { d.note("done %v", e.Value); return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.check(t, "0s ack b1", "0s done b2", "0s ack b2", "0s done c1", "0s ack c1")
		if r := p.Stats().Producers[0]; r.Admitted != 3 || r.Invalid != 0 {
			t.Errorf("producer %+v", r)
		}
	})
}
