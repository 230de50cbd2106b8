package pipeline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// repeating ranges over its input again and again.
func repeating(in iter.Seq[item]) iter.Seq[item] {
	return func(yield func(item) bool) {
		for {
			for i := range in {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// An input is let go of also behind a chain that ranges over it again, and each
// delivery until then is settled.
func TestRepeatIsLetGoOf(t *testing.T) {
	for _, long := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			var yielded int
			source := func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					time.Sleep(time.Second) // whatever its context says
					yielded++
					yield(Delivery[item]{Batch: items(long), Receipt: slip{d, "a"}}, nil)
				}
			}
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: Via(source, repeating), Intermittent: Intermittent{On: 4500 * ms, Off: time.Hour}})
			p.Consume(func(context.Context, entry) error { return nil })
			if err := p.Run(cancelAt(t, 30*time.Second)); err != nil {
				t.Error(err)
			}
			if r := p.Stats().Producers[0]; yielded != 7 || r.Received != uint64(7*long) {
				t.Errorf("%d yielded, want those of 4.5 s and three behind; %+v", yielded, r)
			}
			d.check(t, "1s ack a", "2s ack a", "3s ack a", "4s ack a", "5s ack a", "6s nack a", "7s nack a")
		})
	}
}

// A chain that has left a batch has nothing in hand when it waits for its input again.
func TestStopBehindAChainThatLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustStop(t, Via(thenWaits(Delivery[item]{Batch: items(5)}), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for range in {
					break
				}
				in(yield)
			}
		}), 0)
		if r := p.Stats().Producers[0]; r.Received != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// Nor does it when it waits in the midst of the next delivery, as it may.
func TestStopBehindStepsThatLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deliveries := []Delivery[item]{{Batch: items(5)}, {Value: item{"b", 1}}}
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				d := deliveries[0]
				deliveries = deliveries[1:]
				yield(d, nil)
			}
		}
		mustStop(t, TryVia(source, func(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for range in {
					break
				}
				for i := range in {
					yield(i, nil)
					<-ctx.Done()
				}
			}
		}), 0)
	})
}

// Sources that follow each other each have chains of their own, which may also pay no
// heed to what comes in.
func TestStopBehindAChainThatHasEnded(t *testing.T) {
	for name, first := range map[string]func(iter.Seq[item]) iter.Seq[item]{
		"heeding": unchanged,
		"deaf":    func(iter.Seq[item]) iter.Seq[item] { return slices.Values(items(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						Via(yielding(Delivery[item]{Value: item{"a", 1}}), first)(ctx)(yield)
						Via(thenWaits(Delivery[item]{Value: item{"b", 1}}), times(3))(ctx)(yield)
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second, Key: func(i item) string {
					if i.key == "b" {
						cancel()
						synctest.Wait()
					}
					return i.key
				}})
				p.Produce(Producer[item]{Source: source})
				p.Consume(func(context.Context, entry) error { return nil })
				start := time.Now()
				if err := p.Run(ctx); err != nil || time.Since(start) != 0 {
					t.Errorf("Run returned %v after %v", err, time.Since(start))
				}
				if r := p.Stats().Producers[0]; r.Admitted != 1+3 {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

// What is left of a batch is counted also if the chain that fails pulls its input,
// and is not if it has ended.
func TestPulledBatchFails(t *testing.T) {
	type seq = iter.Seq[item]
	var batch Source[item] = yielding(Delivery[item]{Batch: items(10)})
	for failing, want := range map[bool]uint64{false: 3, true: 3 + 6} {
		pulling := func(in seq) seq {
			return func(yield func(item) bool) {
				next, stop := iter.Pull(in)
				defer stop()
				for range 3 {
					i, _ := next()
					yield(i)
				}
				if failing {
					next()
					panic("chain")
				}
			}
		}
		for name, source := range map[string]Source[item]{
			"Via": Via(batch, pulling),
			"TryVia": TryVia(batch, func(_ context.Context, in seq) iter.Seq2[item, error] {
				return func(yield func(item, error) bool) {
					pulling(in)(func(i item) bool { return yield(i, nil) })
				}
			}),
		} {
			t.Run(fmt.Sprint(name, failing), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := mustNew(t, Config[string, item]{})
					p.Produce(Producer[item]{Source: source})
					p.Consume(func(context.Context, entry) error { return nil })
					if err := p.Run(t.Context()); (err != nil) != failing {
						t.Errorf("Run returned %v", err)
					}
					if r := p.Stats().Producers[0]; r.Received != want || r.Admitted != 3 {
						t.Errorf("%+v, want %d", r, want)
					}
				})
			})
		}
	}
}

// A chain that has enough does not wait for its quota.
func TestChainThatHasEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", byteRate("1"))})
		source := yielding(Delivery[item]{Value: item{"a", 1}, Bytes: 1e6}, Delivery[item]{Value: item{"b", 1}})
		p.Produce(Producer[item]{User: "feed", Source: Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range in {
					yield(i)
					return
				}
			}
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		start := time.Now()
		if err := p.Run(t.Context()); err != nil || time.Since(start) != 0 {
			t.Errorf("Run returned %v after %v", err, time.Since(start))
		}
	})
}
