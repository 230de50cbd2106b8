package pipeline

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// streaming is a source of values of a few keys, one after each period, of so
// many bytes each. It ends with its context.
func streaming(period time.Duration, bytes int64) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for n := 0; ctx.Err() == nil; n++ {
				select {
				case <-time.After(period):
				case <-ctx.Done():
					return
				}
				if !yield(Delivery[item]{Value: item{fmt.Sprint("k", n%10), n}, Bytes: bytes}, nil) {
					return
				}
			}
		}
	}
}

// between checks a count.
func between(t *testing.T, what string, got, low, high uint64) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s: %d, want from %d to %d", what, got, low, high)
	}
}

// A greedy producer is held to its quota, and a modest one does not notice it.
func TestQuotaShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustQuotas(t, "greedy", percent("25")) // of 2 producers: 500 ms a second
		p := mustNew(t, Config[string, item]{Quotas: q})
		p.Produce(Producer[item]{Name: "greedy", User: "greedy", Source: toiling(streaming(0, 0), 10*ms)})
		p.Produce(Producer[item]{Name: "modest", User: "modest", Source: toiling(streaming(40*ms, 0), 10*ms)})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(cancelAt(t, 20*time.Second+ms)); err != nil {
			t.Error(err)
		}
		s := p.Stats()
		between(t, "greedy", s.Producers[0].Received, 950, 1051) // 50 a second, and one window at once
		between(t, "modest", s.Producers[1].Received, 400, 401)
		if got, want := total(s, quota.RequestTimePercent, "greedy"), int64(s.Producers[0].Received)*int64(10*ms); got < want-int64(20*ms) || got > want {
			t.Errorf("charged %v, want %v", time.Duration(got), time.Duration(want))
		}
		// The wait is no part of any latency: the stamp comes after it.
		if s.Age.Max > 10*ms || s.Admit.Max > 10*ms {
			t.Errorf("age %v, admit %v", s.Age.Max, s.Admit.Max)
		}
	})
}

// Instances of a producer share the quota of its user.
func TestQuotaOfInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustQuotas(t, "greedy", byteRate("1000"))
		p := mustNew(t, Config[string, item]{Quotas: q})
		p.Produce(Producer[item]{User: "greedy", Source: streaming(ms, 100), Parallel: 4, Partitioned: true})
		p.Consume(func(handling, entry) error { return nil })
		var during Stats
		time.AfterFunc(time.Second, func() { during = p.Stats() })
		if err := p.Run(cancelAt(t, 20*time.Second)); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		between(t, "received", p.Stats().Producers[0].Received, 195, 215)
		if during.Quotas.Producers != 4 || len(during.Quotas.Entities) != 1 || during.Quotas.Entities[0].Waiting == 0 {
			t.Errorf("during the run: %+v", during.Quotas)
		}
		if got := p.Stats().Quotas.Entities[0].Waiting; got != 0 {
			t.Errorf("%d gates wait after the run", got)
		}
	})
}

// A quota can come and go while the pipeline runs.
func TestQuotaChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustQuotas(t, "other", byteRate("1000"))
		p := mustNew(t, Config[string, item]{Quotas: q})
		p.Produce(Producer[item]{User: "greedy", Source: streaming(10*ms, 100)})
		p.Consume(func(handling, entry) error { return nil })
		alter := func(change quota.Change) {
			if err := q.Alter(quota.Entity{User: quota.Named("greedy")}, change); err != nil {
				t.Error(err)
			}
		}
		// received counts what comes in ten seconds, once a change has settled.
		received := func() uint64 {
			time.Sleep(2 * time.Second)
			before := p.Stats().Producers[0].Received
			time.Sleep(10 * time.Second)
			return p.Stats().Producers[0].Received - before
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			between(t, "without a quota", received(), 999, 1001)
			alter(byteRate("1000"))
			between(t, "with one", received(), 95, 105)
			alter(quota.Change{Key: quota.ProducerByteRate, Remove: true})
			between(t, "without again", received(), 999, 1001)
		}()
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}

// A stop does not wait for anybody's quota.
func TestQuotaStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "greedy", byteRate("1"))})
		p.Produce(Producer[item]{User: "greedy", Source: streaming(ms, 100)})
		p.Produce(Producer[item]{User: "greedy", Source: Via(streaming(ms, 100), func(in iter.Seq[item]) iter.Seq[item] { return in })})
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(cancelAt(t, 5500*ms))
		d.note("end %v", err)
		d.check(t, "5.5s end <nil>")
	})
}

// consumer_byte_rate holds the workers back; a drain does not wait for it.
func TestQuotaConsumer(t *testing.T) {
	many := func(n int) (items []item) {
		for i := range n {
			items = append(items, item{fmt.Sprint("k", i), i})
		}
		return items
	}
	forms := map[string]func(p *Pipeline[string, item]){
		"one by one": func(p *Pipeline[string, item]) { p.Consume(func(handling, entry) error { return nil }) },
		"batch":      func(p *Pipeline[string, item]) { p.ConsumeBatch(2, func(handling, []entry) error { return nil }) },
		"asynchronous": func(p *Pipeline[string, item]) {
			p.ConsumeAsync(func(_ handling, _ entry, done func(error)) { done(nil) })
		},
	}
	for name, consume := range forms {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, Config[string, item]{
					Quotas: mustQuotas(t, "reader", quota.Change{Key: quota.ConsumerByteRate, Value: "1000"}),
					User:   "reader", Workers: 2, Bytes: func(item) int64 { return 100 },
				})
				p.Produce(Producer[item]{Source: script(10*time.Second, at(0, many(300)...))})
				consume(p)
				time.AfterFunc(10*time.Second-ms, func() { between(t, "done", p.Stats().Ledger.Done, 95, 115) })
				if err := p.Run(t.Context()); err != nil {
					t.Error(err)
				}
				d.note("done %d", p.Stats().Ledger.Done)
				d.check(t, "10s done 300")
				if got := total(p.Stats(), quota.ConsumerByteRate, "reader"); got != 30_000 {
					t.Errorf("charged %d bytes, want 30000", got)
				}
			})
		})
	}
}

// Without quotas there is nothing to show.
func TestQuotaNone(t *testing.T) {
	s := mustNew(t, Config[string, item]{}).Stats()
	if s.Quotas.Producers != 0 || s.Quotas.Entities != nil {
		t.Errorf("got %+v", s.Quotas)
	}
}

// A Bytes that ends the goroutine fails its entry, which does not stay leased.
func TestWorkBytesExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Attempts: 1, DrainTimeout: time.Second, Quotas: mustQuotas(t, "u", percent("100")), Bytes: func(item) int64 {
			runtime.Goexit()
			return 0
		}})
		p.Produce(Producer[item]{Source: script(0, at(0, five[0]))})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(cancelAt(t, time.Minute)); err != nil {
			t.Error(err)
		}
		if l := p.Stats().Ledger; l.Leased != 0 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// What comes after the stop is not charged: nothing is done with it.
func TestQuotaLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", percent("100"))})
		p.Produce(Producer[item]{User: "feed", Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(Delivery[item]{Value: item{"a", 1}}, nil)
				time.Sleep(time.Second)
				yield(Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}}, nil)
			}
		}})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(cancelAt(t, 10*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "1s nack b")
		if got := total(p.Stats(), quota.RequestTimePercent, "feed"); got != 0 {
			t.Errorf("charged %v", time.Duration(got))
		}
	})
}
