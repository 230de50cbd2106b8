package pipeline

import (
	"context"
	"fmt"
	"iter"
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

// An input is let go of also behind a chain that ranges over it again.
func TestRepeatIsLetGoOf(t *testing.T) {
	for _, long := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			yielded := 0
			source := FromBatches(func(context.Context) iter.Seq2[[]item, error] {
				return func(yield func([]item, error) bool) {
					time.Sleep(time.Second) // whatever its context says
					yielded += long
					yield(items(long), nil)
				}
			})
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: Via(source, repeating), Intermittent: Intermittent{On: 4500 * ms, Off: time.Hour}})
			p.Consume(func(context.Context, entry) error { return nil })
			if err := p.Run(cancelAt(t, 30*time.Second)); err != nil {
				t.Error(err)
			}
			if r := p.Stats().Producers[0]; yielded > 7*long || r.Received != uint64(yielded) {
				t.Errorf("%d yielded, want those of 4.5 s and a few behind; %+v", yielded, r)
			}
		})
	}
}

// A chain that has left a batch has nothing in hand when it waits for its input again.
func TestStopBehindAChainThatLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second})
		p.Produce(Producer[item]{Source: Via(thenWaits(Delivery[item]{Batch: items(5)}), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for range in {
					break
				}
				in(yield)
			}
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		start := time.Now()
		if err := p.Run(cancelAt(t, time.Second)); err != nil || time.Since(start) != time.Second {
			t.Errorf("Run returned %v after %v", err, time.Since(start))
		}
		if r := p.Stats().Producers[0]; r.Received != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// What is left of a batch is counted also if the chain that fails pulls its input,
// and is not if it has ended.
func TestPulledBatchFails(t *testing.T) {
	for failing, want := range map[bool]uint64{false: 3, true: 3 + 6} {
		t.Run(fmt.Sprint(failing), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: Via(yielding(Delivery[item]{Batch: items(10)}), func(in iter.Seq[item]) iter.Seq[item] {
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
				})})
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
