package pipeline

import (
	"context"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
)

// The receipt of a batch is settled when all of it is, and refused if one value is.
func TestSourceBatchReceipt(t *testing.T) {
	three := []item{{"a", 1}, {"b", 1}, {"c", 1}}
	key := func(does func()) func(item) string {
		return func(i item) string {
			if i.key == "b" {
				does()
			}
			return i.key
		}
	}
	type counts struct{ admitted, invalid, rejected uint64 }
	for name, c := range map[string]struct {
		config Config[string, item]
		batch  []item
		ack    Acknowledge
		chain  bool
		want   string
		counts counts
	}{
		"admitted":     {batch: three, want: "0s ack", counts: counts{admitted: 3}},
		"in a chain":   {batch: three, chain: true, want: "0s ack", counts: counts{admitted: 3}},
		"empty":        {batch: []item{}, want: "0s ack"},
		"empty, chain": {batch: []item{}, chain: true, want: "0s ack"},
		"done":         {batch: three, ack: AckOnDone, want: "30ms ack", counts: counts{admitted: 3}},
		"done, chain":  {batch: three, ack: AckOnDone, chain: true, want: "30ms ack", counts: counts{admitted: 3}},
		"invalid": {batch: three, config: Config[string, item]{Key: key(func() { panic("key") })},
			want: "0s ack", counts: counts{admitted: 2, invalid: 1}},
		"invalid, chain": {batch: three, chain: true, config: Config[string, item]{Key: key(func() { panic("key") })},
			want: "0s ack", counts: counts{admitted: 2, invalid: 1}},
		"full": {batch: three[:2], config: Config[string, item]{Cache: cache.Options[string, item]{MaxEntries: 1, Overflow: cache.Reject}},
			want: "0s nack", counts: counts{admitted: 1, rejected: 1}},
		"too large, done": {batch: three, ack: AckOnDone, config: Config[string, item]{Cache: cache.Options[string, item]{
			MaxBytes: 2, Overflow: cache.Reject, SizeOf: func(key string, _ item) int64 { return map[string]int64{"b": 3}[key] }}},
			want: "20ms nack", counts: counts{admitted: 2, rejected: 1}},
		"room, in time": {batch: three, config: Config[string, item]{Cache: cache.Options[string, item]{MaxEntries: 1}},
			want: "10ms ack", counts: counts{admitted: 3}},
		"exit": {batch: three, config: Config[string, item]{Key: key(runtime.Goexit)},
			want: "0s nack", counts: counts{admitted: 1, rejected: 2}},
		"exit, chain": {batch: three, chain: true, config: Config[string, item]{Key: key(runtime.Goexit)},
			want: "0s nack", counts: counts{admitted: 1, rejected: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, log := newDiary(), newDiary()
				source := yielding(Delivery[item]{Batch: c.batch, Receipt: slip{d, ""}})
				if c.chain {
					source = Via(source, unchanged)
				}
				p := mustNew(t, c.config)
				p.Produce(Producer[item]{Source: source, Acknowledge: c.ack})
				p.Consume(log.reader(10 * ms))
				if err := p.Run(t.Context()); err != nil != strings.HasPrefix(name, "exit") {
					t.Error(err)
				}
				checkBalance(t, p)
				d.check(t, c.want+" ")
				r := p.Stats().Producers[0]
				if got := (counts{r.Admitted, r.Invalid, r.Rejected}); got != c.counts {
					t.Errorf("%+v, want %+v", got, c.counts)
				}
			})
		})
	}
}

// A receipt that panics, or ends the goroutine, fails the source. The batch is in
// the cache by then.
func TestSourceBatchReceiptPanics(t *testing.T) {
	for _, do := range []func(){func() { panic("ack") }, runtime.Goexit} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: yielding(
				Delivery[item]{Batch: items(100), Receipt: ill{slip{d, "first"}, do}},
				Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "second"}},
			)})
			p.Consume(func(context.Context, entry) error { return nil })
			if p.Run(t.Context()) == nil {
				t.Error("no error")
			}
			d.check(t, "0s ack first")
			if r := p.Stats().Producers[0]; r.Received != 100 || r.Admitted != 100 {
				t.Errorf("producer %+v", r)
			}
			checkBalance(t, p)
		})
	}
}

// After the stop a batch without a receipt goes in, and one with a receipt is
// held back and refused as a whole.
func TestSourceBatchAfterTheStop(t *testing.T) {
	for _, chain := range []bool{false, true} {
		for _, receipt := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				var s Source[item] = func(context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						late := Delivery[item]{Batch: items(3)}
						if receipt {
							late.Receipt = slip{d, "late"}
						}
						time.Sleep(20 * ms)
						yield(late, nil)
					}
				}
				if chain {
					s = Via(s, unchanged)
				}
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: s})
				// Another producer has a value in hand, so that the cache is open.
				p.Produce(Producer[item]{Source: Via(inBatches(items(1)), func(in iter.Seq[item]) iter.Seq[item] {
					return operators.Tap(in, func(item) { time.Sleep(30 * ms) })
				})})
				p.Consume(func(context.Context, entry) error { return nil })
				_ = p.Run(cancelAt(t, 10*ms))
				checkBalance(t, p)
				r := p.Stats().Producers[0]
				if receipt {
					d.check(t, "30ms nack late")
					if r.Admitted != 0 || r.Rejected != 3 {
						t.Errorf("producer %+v", r)
					}
				} else if r.Admitted != 3 {
					t.Errorf("producer %+v", r)
				}
			})
		}
	}
}
