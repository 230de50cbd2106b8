package pipeline

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
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

// brokenOff is a source that says More of all its deliveries.
func brokenOff(source Source[item]) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for d, err := range source(ctx) {
				if d.More = true; !yield(d, err) {
					return
				}
			}
		}
	}
}

// A receipt that panics, or ends the goroutine, fails the source. The other
// values of the burst are in the cache, once, and are settled.
func TestStageReceiptPanics(t *testing.T) {
	for name, do := range map[string]func(){
		"panic": func() { panic("ack") }, "panic, broken off": func() { panic("ack") },
		"exit": runtime.Goexit, "exit, broken off": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				value := func(key string, r Receipt) Delivery[item] { return Delivery[item]{Value: item{key, 1}, Receipt: r} }
				c := Config[string, item]{Metronome: every}
				c.Cache.MaxEntries, c.Cache.Overflow = 3, cache.Reject
				p := mustNew(t, c)
				source := atHand(
					value("a", slip{d, "a"}), value("b", ill{slip{d, "b"}, do}), value("c", ill{slip{d, "c"}, do}),
					value("d", slip{d, "d"}), value("a", slip{d, "a2"}),
				)
				if strings.Contains(name, "broken") {
					source = brokenOff(source)
				}
				p.Produce(Producer[item]{Source: source})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				slices.Sort(d.lines)
				d.check(t, "0s ack a", "0s ack a2", "0s ack b", "0s ack c", "0s nack d")
				s := p.Stats()
				if r := s.Producers[0]; r.Received != 5 || r.Admitted != 4 || r.Rejected != 1 || s.Ledger.Puts != 5 {
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
		p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: atHand(Delivery[item]{Value: item{"b", 1}, Receipt: ill{slip{d, "b1"}, runtime.Goexit}})})
		p.Produce(Producer[item]{Source: script(0, []step{{at: ms}}), OnFailure: CarryOn})
		p.producers[1].Source = func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			wait(ctx, ms)
			return atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 2}}, Delivery[item]{Value: item{"c", 1}})(ctx)
		}
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(t.Context())
		d.check(t, "1ms ack b1")
		if l := p.Stats().Ledger; l.Puts > 4 || l.Puts < 3 {
			t.Errorf("%d puts", l.Puts)
		}
	})
}

// A burst of which only some values have receipts settles these.
func TestStageSomeReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Consume(func(context.Context, entry) error { return nil })
		mustEnd(t, p, atHand(
			Delivery[item]{Value: item{"a", 1}},
			Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}},
			Delivery[item]{Value: item{"c", 1}},
		))
		d.check(t, "0s ack b")
	})
}

// What is invalid behind a value whose receipt panics is counted and settled.
func TestStageReceiptPanicsBeforeInvalid(t *testing.T) {
	for _, do := range []func(){func() { panic("ack") }, runtime.Goexit} {
		for _, keyless := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, Config[string, item]{Key: func(i item) string {
					if i.key == "b" {
						panic("key")
					}
					return i.key
				}})
				p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						var err error
						b := item{"b", 1}
						if !keyless {
							err, b.key = ErrInvalid, "c"
						}
						_ = yield(Delivery[item]{Value: item{"a", 1}, Receipt: ill{slip{d, "a"}, do}, More: true}, nil) &&
							yield(Delivery[item]{Value: b, Receipt: slip{d, "b"}}, err)
					}
				}})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				d.check(t, "0s ack a", "0s ack b")
				if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Invalid != 1 {
					t.Errorf("producer %+v", r)
				}
			})
		}
	}
}

// What comes after the stop is refused, whatever a receipt of what was staged does.
func TestStageReceiptPanicsBeforeLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(Delivery[item]{Value: item{"a", 1}, Receipt: ill{slip{d, "a"}, func() { panic("ack") }}, More: true}, nil)
				time.Sleep(20 * ms)
				yield(Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}}, nil)
			}
		}})
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(cancelAt(t, 10*ms))
		d.check(t, "20ms ack a", "20ms nack b")
		if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}
