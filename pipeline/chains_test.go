package pipeline

import (
	"context"
	"iter"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// thenWaits is a source of deliveries that waits for its end behind them.
func thenWaits(deliveries ...Delivery[item]) Source[item] {
	first := true
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			if first {
				first = false
				for _, d := range deliveries {
					if !yield(d, nil) {
						return
					}
				}
			}
			<-ctx.Done()
		}
	}
}

// badSlip is a receipt that panics when it is acknowledged.
type badSlip struct{}

func (badSlip) Ack() bool  { panic("ack") }
func (badSlip) Nack() bool { return true }

// What a source had in hand when it failed does not hold up a later stop.
func TestRestartHoldsNothing(t *testing.T) {
	for name, src := range map[string]func() Source[item]{
		"chain batch": func() Source[item] {
			return Via(thenWaits(Delivery[item]{Batch: items(3)}), exploding(2, func() { panic("x") }))
		},
		"receipt": func() Source[item] { return thenWaits(Delivery[item]{Value: item{"a", 1}, Receipt: badSlip{}}) },
		"flatmap": func() Source[item] {
			return Via(thenWaits(Delivery[item]{Value: item{"a", 1}}), func(in iter.Seq[item]) iter.Seq[item] {
				return func(yield func(item) bool) {
					for i := range in {
						if !yield(i) {
							return
						}
						panic("x")
					}
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second})
				p.Produce(Producer[item]{Source: src(), OnFailure: Restart})
				p.Consume(func(context.Context, entry) error { return nil })
				err := p.Run(cancelAt(t, time.Minute))
				if got := time.Since(start); got != time.Minute {
					t.Errorf("Run returned %v after %v want 1m", err, got)
				}
			})
		})
	}
}

// A batch that has begun goes in to its end, also one with a receipt.
func TestStopAmidABatchWithAReceipt(t *testing.T) {
	for name, through := range map[string]func(Source[item]) Source[item]{
		"plain":  func(s Source[item]) Source[item] { return s },
		"Via":    func(s Source[item]) Source[item] { return Via(s, unchanged) },
		"TryVia": func(s Source[item]) Source[item] { return TryVia(s, inSteps(unchanged)) }} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				ctx, cancel := context.WithCancel(t.Context())
				p := mustNew(t, Config[string, item]{Key: func(i item) string {
					if i.n == 10 {
						cancel()
						synctest.Wait()
					}
					return i.key
				}})
				p.Produce(Producer[item]{Source: through(thenWaits(Delivery[item]{Batch: items(100), Receipt: slip{d, "x"}}))})
				p.Consume(func(context.Context, entry) error { return nil })
				if err := p.Run(ctx); err != nil {
					t.Error(err)
				}
				if r := p.Stats().Producers[0]; r.Admitted != 100 {
					t.Errorf("%+v of 100", r)
				}
				d.check(t, "0s ack x")
			})
		})
	}
}

// A chain that recovers from its own panic holds up no stop.
func TestChainThatRecovers(t *testing.T) {
	for name, dl := range map[string][]Delivery[item]{"one": {{Value: item{"a", 1}}, {Value: item{"a", 2}}, {Value: item{"a", 3}}}, "batch": {{Batch: items(3)}}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second, Grace: time.Second})
				p.Produce(Producer[item]{Source: Via(thenWaits(dl...), func(in iter.Seq[item]) iter.Seq[item] {
					return func(yield func(item) bool) {
						more := true
						try := func() (again bool) {
							defer func() { again = recover() != nil }()
							for i := range in {
								if i.n == 2 {
									panic("mine")
								}
								if more = yield(i); !more {
									return
								}
							}
							return
						}
						for try() {
						}
						yield(item{"a", 9})
					}
				})})
				p.Consume(func(context.Context, entry) error { return nil })
				err := p.Run(cancelAt(t, time.Minute))
				if got := time.Since(start); got != time.Minute {
					t.Errorf("Run returned %v after %v, %+v", err, got, p.Stats().Producers[0])
				}
				// The one before, of a batch the one behind, and the last, which is late.
				if r := p.Stats().Producers[0]; r.Received != uint64(1+len(dl[0].Batch)/3+1) {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

// A delivery of which something was cut off at the end of the run is refused.
func TestCutDeliveryIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{DrainTimeout: time.Second, Grace: time.Second})
		p.Produce(Producer[item]{OnInvalid: func(error) { time.Sleep(time.Minute) }, Source: TryVia(thenWaits(Delivery[item]{Value: item{"a", 1}, Receipt: slip{d, "x"}}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for i := range in {
					if !yield(i, ErrInvalid) || !yield(i, nil) {
						return
					}
				}
			}
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(cancelAt(t, time.Second))
		time.Sleep(time.Minute)
		d.check(t, "1m0s nack x")
	})
}

// An invalid value is counted also if a callback for those before it ends the goroutine.
func TestInvalidBehindAnExit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every, Key: func(i item) string {
			if i.key == "c" {
				panic("c")
			}
			return i.key
		}}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		c.Cache.OnDrop = func(entry, cache.Reason) { runtime.Goexit() }
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: yielding(Delivery[item]{Batch: []item{{"a", 1}, {"b", 1}, {"c", 1}}})})
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(t.Context())
		if r := p.Stats().Producers[0]; r.Received != 3 {
			t.Errorf("of 3: %+v", r)
		}
	})
}
