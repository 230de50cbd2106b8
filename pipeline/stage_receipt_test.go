package pipeline

import (
	"context"
	"iter"
	"runtime"
	"testing"
	"testing/synctest"
)

// ill is a receipt that does something when it is acknowledged.
type ill struct {
	slip
	do func()
}

func (s ill) Ack() bool {
	s.slip.Ack()
	s.do()
	return true
}

// A receipt that panics, or ends the goroutine, fails the source. Its value is in
// the cache by then, once.
func TestStageReceiptPanics(t *testing.T) {
	for name, do := range map[string]func(){"panic": func() { panic("ack") }, "exit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				value := func(key string, r Receipt) Delivery[item] { return Delivery[item]{Value: item{key, 1}, Receipt: r} }
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: yielding(
					value("a", slip{d, "a"}), value("b", ill{slip{d, "b"}, do}), value("c", slip{d, "c"}),
				)})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				d.check(t, "0s ack a", "0s ack b")
				s := p.Stats()
				if r := s.Producers[0]; r.Received != 2 || r.Admitted != 2 || s.Ledger.Puts != 2 {
					t.Errorf("producer %+v, %d puts", r, s.Ledger.Puts)
				}
				checkBalance(t, p)
			})
		})
	}
}

// The same for one that is held until a newer value takes the place of its own.
func TestStageHeldReceiptPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every})
		p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: yielding(Delivery[item]{Value: item{"b", 1}, Receipt: ill{slip{d, "b1"}, runtime.Goexit}})})
		p.Produce(Producer[item]{Source: script(0, []step{{at: ms}}), OnFailure: CarryOn})
		p.producers[1].Source = func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			wait(ctx, ms)
			return yielding(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 2}}, Delivery[item]{Value: item{"c", 1}})(ctx)
		}
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(t.Context())
		d.check(t, "1ms ack b1")
		if l := p.Stats().Ledger; l.Puts > 4 || l.Puts < 3 {
			t.Errorf("%d puts", l.Puts)
		}
	})
}

// Of deliveries of which only some have receipts these are settled.
func TestStageSomeReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Consume(func(context.Context, entry) error { return nil })
		mustEnd(t, p, yielding(
			Delivery[item]{Value: item{"a", 1}},
			Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}},
			Delivery[item]{Batch: []item{{"c", 1}, {"d", 1}}},
		))
		d.check(t, "0s ack b")
	})
}
