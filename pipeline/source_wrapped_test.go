package pipeline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

// with wraps a source in one that changes its deliveries.
func with(s Source[item], change func(*Delivery[item])) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for d, err := range s(ctx) {
				change(&d)
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// concat is a source of several, one after the other.
func concat(sources ...Source[item]) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for _, s := range sources {
				for d, err := range s(ctx) {
					if !yield(d, err) {
						return
					}
				}
			}
		}
	}
}

// finite is a source of values that then ends.
func finite(values []item) Source[item] {
	return FromBatches(func(context.Context) iter.Seq2[[]item, error] {
		return func(yield func([]item, error) bool) { yield(values, nil) }
	})
}

// A source that has ended before a live one takes over is not waited for at a stop.
func TestStopBehindASnapshot(t *testing.T) {
	twice := func(in iter.Seq[item]) iter.Seq[item] {
		return func(yield func(item) bool) {
			for range in {
				in(yield) // one loop over the input in another
			}
		}
	}
	live := func() Source[item] { return thenWaits(Delivery[item]{Value: item{"b", 1}}) }
	for name, source := range map[string]Source[item]{
		"Via, then plain": concat(Via(finite(items(3)), unchanged), live()),
		"Via of both":     Via(concat(finite(items(3)), live()), unchanged),
		"TryVia of both":  TryVia(concat(finite(items(3)), live()), inSteps(unchanged)),
		"nested loops":    concat(Via(yielding(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"a", 2}}), twice), live()),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { mustStop(t, source, 0) })
		})
	}
}

// One that a wrapper keeps from ending is waited for a moment only.
func TestStopBehindAPacedSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := finite(items(3))
		mustStop(t, Via(func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for d, err := range inner(ctx) {
					if !yield(d, err) {
						return
					}
					<-ctx.Done()
				}
			}
		}, unchanged), moment)
	})
}

// A delivery with a receipt that comes after the stop waits for the end of the run, and
// holds nothing up.
func TestLateReceiptBehindVia(t *testing.T) {
	for _, takes := range []time.Duration{0, 10 * ms} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			source := FromFunc(func(ctx context.Context) iter.Seq2[item, error] {
				return func(yield func(item, error) bool) {
					<-ctx.Done()
					yield(item{"late", 1}, nil) // as of a long poll
				}
			})
			source = with(source, func(dl *Delivery[item]) { dl.Receipt = slip{d, "late"} })
			mustStop(t, Via(source, func(in iter.Seq[item]) iter.Seq[item] {
				return operators.Tap(in, func(item) { time.Sleep(takes) })
			}), takes)
			d.check(t, fmt.Sprint(time.Second+takes, " nack late"))
		})
	}
}

// A value that a chain is at work on when the stop begins goes in.
func TestStopAmidAValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		slow := func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Tap(in, func(item) { time.Sleep(2 * time.Second) })
		}
		p := mustStop(t, Via(thenWaits(Delivery[item]{Value: item{"a", 1}, Receipt: slip{d, "a"}}), slow), time.Second)
		if r := p.Stats().Producers[0]; r.Admitted != 1 {
			t.Errorf("%+v", r)
		}
		d.check(t, "2s ack a")
	})
}

// What a wrapper adds to the context of a source reaches that: values, and its end.
func TestFromFuncBehindAWrapper(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		source := FromFunc(func(ctx context.Context) iter.Seq2[item, error] {
			return func(func(item, error) bool) {
				<-ctx.Done()
				if got := ctx.Value(key{}); got != 1 {
					t.Errorf("got %v", got)
				}
			}
		})
		mustRun(t, Config[string, item]{}, func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				ctx, cancel := context.WithTimeout(context.WithValue(ctx, key{}, 1), time.Second)
				defer cancel()
				source(ctx)(yield)
			}
		}, func(handling, entry) error { return nil })
		if got := time.Since(start); got != time.Second {
			t.Errorf("it ended after %v", got)
		}
	})
}

// The sequence of FromFunc may be that of another source, with chains of its own.
func TestFromFuncOfASource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustStop(t, FromFunc(func(ctx context.Context) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for d, err := range Via(untilDone(items(7)), inFours)(ctx) {
					for v := range d.Values() {
						if !yield(v, err) {
							return
						}
					}
				}
			}
		}), 0)
		if r := p.Stats().Producers[0]; r.Admitted != 7 {
			t.Errorf("of 7: %+v", r)
		}
	})
}

// A stop waits for as long as a chain takes for what it holds back. Steps that have ended
// do not make those who wait of the chains that come later.
func TestHeldBackTakesItsTime(t *testing.T) {
	held := Via(untilDone(items(5)), func(in iter.Seq[item]) iter.Seq[item] {
		return operators.Tap(slices.Values(slices.Collect(in)), func(item) { time.Sleep(2 * moment) })
	})
	for name, source := range map[string]Source[item]{
		"Via":              held,
		"Via behind steps": concat(TryVia(finite(items(1)), inSteps(unchanged)), held),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if r := mustStop(t, source, 10*moment).Stats().Producers[0]; r.Rejected != 0 {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

// Steps that wait in the midst of a value do not hold up a stop.
func TestStopAmidStepsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mustStop(t, TryVia(thenWaits(Delivery[item]{Value: item{"a", 1}}), func(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for range in {
					<-ctx.Done()
				}
			}
		}), 0)
	})
}

// A source that goes on after the stop, of which a chain drops all, does not hold it up.
func TestStopBehindASourceThatGoesOnInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for ctx.Err() == nil && yield(Delivery[item]{Value: item{"a", 1}}, nil) {
				}
			}
		}
		mustStop(t, Via(endless, func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(item) bool { time.Sleep(300 * ms); return false })
		}), 500*ms) // the one in hand, and the one until it looks at its context
	})
}

// A source that is opened after the stop has its context ended.
func TestFromChannelOpenedAtTheStop(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			ch := make(chan item, 3)
			for _, i := range items(3) {
				ch <- i
			}
			mustStop(t, concat(untilDone(nil), FromChannel(ch)), 0)
			if len(ch) != 3 {
				t.Errorf("%d are left in the channel, want 3", len(ch))
			}
		})
	}
}

// The context of a sequence ends with it.
func TestFromFuncEndsItsContext(t *testing.T) {
	var its context.Context
	source := FromFunc(func(ctx context.Context) iter.Seq2[int, error] {
		its = ctx
		return func(func(int, error) bool) {}
	})
	for range source(t.Context()) {
	}
	if its.Err() == nil {
		t.Error("it goes on")
	}
}

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
