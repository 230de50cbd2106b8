package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"
)

// A quota holds a source back also when it comes behind one with a chain.
func TestQuotaBehindAChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", byteRate("1000"))})
		p.Produce(Producer[item]{User: "feed", Source: concat(Via(finite(items(1)), unchanged),
			yielding(Delivery[item]{Value: item{"a", 1}, Bytes: 1e6}, Delivery[item]{Value: item{"b", 1}}))})
		p.Consume(func(context.Context, entry) error { return nil })
		start := time.Now()
		if err := p.Run(t.Context()); err != nil || time.Since(start) == 0 {
			t.Errorf("Run returned %v after %v", err, time.Since(start))
		}
	})
}

// A source whose opening a quota held back is not opened by the stop.
func TestQuotaAtTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", byteRate("1"))})
		start := time.Now()
		failing := func(first Delivery[item]) Source[item] {
			return func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					if time.Since(start) >= time.Minute {
						t.Error("opened after the stop")
					}
					if yield(first, nil) {
						time.Sleep(ms)
						yield(Delivery[item]{}, errBoom)
					}
				}
			}
		}
		p.Produce(Producer[item]{User: "feed", OnFailure: Restart, Source: failing(Delivery[item]{Value: item{"a", 1}, Bytes: 1000})})
		p.Produce(Producer[item]{User: "feed", OnFailure: Restart, Source: failing(Delivery[item]{Value: item{"b", 1}})})
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(cancelAt(t, time.Minute))
	})
}
