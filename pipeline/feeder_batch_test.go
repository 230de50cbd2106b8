package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/operators"
)

// A batch is one delivery for the quotas: it is charged as a whole, and its source
// is held back behind it.
func TestFeederBatchIsCharged(t *testing.T) {
	for _, chain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", percent("100"), byteRate("1000"))})
			batch := Delivery[item]{Batch: items(10), Bytes: 2000} // two seconds' worth
			source, work := yielding(batch, batch), int64(0)
			if chain {
				source, work = toiling(source, ms), int64(20*ms)
			}
			var came []time.Duration
			start := time.Now()
			p.Produce(Producer[item]{User: "feed", Source: func(ctx context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					for d, err := range source(ctx) {
						came = append(came, time.Since(start))
						if !yield(d, err) {
							return
						}
					}
					<-ctx.Done()
				}
			}})
			p.Consume(newDiary().reader(0))
			if err := p.Run(cancelAt(t, time.Minute)); err != nil {
				t.Error(err)
			}
			s := p.Stats()
			if got := total(s, quota.ProducerByteRate, "feed"); got != 4000 {
				t.Errorf("charged %d bytes, want 4000", got)
			}
			if got := total(s, quota.RequestTimePercent, "feed"); got != work {
				t.Errorf("charged %v, want %v", time.Duration(got), time.Duration(work))
			}
			if len(came) != 2 || came[1] < time.Second {
				t.Errorf("the batches came at %v", came)
			}
		})
	}
}

// A stop waits for the rest of a batch, also where a chain behind is done with its
// part of it.
func TestFeederBatchAtTheStop(t *testing.T) {
	for _, stop := range []time.Duration{100 * ms, 700 * ms} {
		synctest.Test(t, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{})
			slow := toiling(inBatches(items(100)), 10*ms) // hands 64 on after 640 ms
			p.Produce(Producer[item]{Source: Via(slow, unchanged)})
			p.Consume(newDiary().reader(0))
			if err := p.Run(cancelAt(t, stop)); err != nil {
				t.Error(err)
			}
			if r := p.Stats().Producers[0]; r.Admitted != 100 || r.Rejected != 0 {
				t.Errorf("producer %+v", r)
			}
		})
	}
}

// A chain may pull its input. Then what comes of a batch is handed on by the
// coroutine that feeds it.
func TestFeederBatchIsPulled(t *testing.T) {
	pulling := func(in iter.Seq[item]) iter.Seq[item] {
		return func(yield func(item) bool) {
			next, stop := iter.Pull(in)
			defer stop()
			for i, ok := next(); ok; i, ok = next() {
				if !yield(i) {
					return
				}
			}
		}
	}
	for _, receipt := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			batch := Delivery[item]{Batch: items(100)}
			if receipt {
				batch.Receipt = slip{d, "batch"}
			}
			p := mustRun(t, Config[string, item]{}, Via(Via(yielding(batch, batch), pulling), pulling), newDiary().reader(0))
			if r := p.Stats().Producers[0]; r.Admitted != 200 {
				t.Errorf("producer %+v", r)
			}
			if receipt {
				d.check(t, "0s ack batch", "0s ack batch")
			}
		})
	}
}

// What comes of a batch is handed on in pieces. When that is not wanted any more the
// chain is fed no more, nor is the source asked.
func TestFeederBatchInPieces(t *testing.T) {
	for breakAt, want := range map[int]string{0: "[64 64 64 8 64 64 64 8], fed 400 of 2", 1: "[64], fed 64 of 1", 4: "[64 64 64 8], fed 200 of 1"} {
		batches, fed := 0, 0
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for range 2 {
					if batches++; !yield(Delivery[item]{Batch: items(200)}, nil) {
						return
					}
				}
			}
		}
		var pieces []int
		for d := range Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Tap(in, func(item) { fed++ })
		})(t.Context()) {
			if pieces = append(pieces, d.len()); len(pieces) == breakAt {
				break
			}
		}
		if got := fmt.Sprintf("%v, fed %d of %d", pieces, fed, batches); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What is no batch is handed on as it comes, also behind one.
func TestFeederBatchThenValue(t *testing.T) {
	var got []string
	for d := range Via(yielding(Delivery[item]{Batch: items(2)}, Delivery[item]{Value: item{"b", 1}}), func(in iter.Seq[item]) iter.Seq[item] {
		return func(yield func(item) bool) {
			in(yield)
			yield(item{"end", 1})
		}
	})(t.Context()) {
		got = append(got, fmt.Sprint(d.Batch, d.Value))
	}
	if want := []string{"[a1 a2] 0", "[] b1", "[] end1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A chain that makes values without end of the last value of a batch is told of, and
// ends behind the run.
func TestFeederBatchWithoutEnd(t *testing.T) {
	for _, batch := range [][]item{items(1), items(3)} {
		synctest.Test(t, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{DrainTimeout: time.Second, Grace: time.Second})
			p.Produce(Producer[item]{Source: Via(inBatches(batch), func(in iter.Seq[item]) iter.Seq[item] {
				return operators.FlatMap(in, func(i item) iter.Seq[item] {
					return func(yield func(item) bool) {
						for yield(i) && i.n == len(batch) {
							time.Sleep(ms)
						}
					}
				})
			})})
			p.Consume(newDiary().reader(0))
			err := p.Run(cancelAt(t, 100*ms))
			if stuck, ok := errors.AsType[*StuckError](err); !ok || stuck.Names[0] != `producer "producer-1"` {
				t.Errorf("Run returned %v", err)
			}
			time.Sleep(staged * ms)
			synctest.Wait()
			if got := p.Stats().Producers[0].Connected; got != 0 {
				t.Errorf("%d connected", got)
			}
			checkBalance(t, p)
		})
	}
}

// An input that is let go of ends behind a batch, also one that does not heed its
// context.
func TestFeederBatchEndsIntermittent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened []time.Duration
		start := time.Now()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{
			Intermittent: Intermittent{On: 2500 * ms, Off: 10 * time.Second},
			Source: Via(func(context.Context) iter.Seq2[Delivery[item], error] {
				opened = append(opened, time.Since(start))
				return func(yield func(Delivery[item], error) bool) {
					for yield(Delivery[item]{Batch: items(3)}, nil) {
						time.Sleep(time.Second)
					}
				}
			}, unchanged),
		})
		p.Consume(newDiary().reader(0))
		if err := p.Run(cancelAt(t, 20*time.Second)); err != nil {
			t.Error(err)
		}
		if want := []time.Duration{0, 13 * time.Second}; !slices.Equal(opened, want) {
			t.Errorf("opened at %v, want %v", opened, want)
		}
	})
}
