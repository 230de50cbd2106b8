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

// A value with which a source ends at the stop goes in, also without a chain.
func TestLastValueGoesIn(t *testing.T) {
	for _, chain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			source := FromFunc(func(ctx context.Context) iter.Seq2[item, error] {
				return func(yield func(item, error) bool) {
					<-ctx.Done()
					time.Sleep(10 * ms)
					yield(item{"a", 1}, nil)
				}
			})
			if chain {
				source = Via(source, unchanged)
			}
			if r := mustStop(t, source, 10*ms).Stats().Producers[0]; r.Admitted != 1 {
				t.Errorf("%+v", r)
			}
		})
	}
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

// A stop waits for as long as a chain takes for what it holds back. Steps that have ended
// do not make those who wait of the chains that come later.
func TestHeldBackTakesItsTime(t *testing.T) {
	collected := func(in iter.Seq[item]) iter.Seq[item] { return slices.Values(slices.Collect(in)) }
	slow := func(in iter.Seq[item]) iter.Seq[item] {
		return operators.Tap(in, func(item) { time.Sleep(2 * moment) })
	}
	held := Via(untilDone(items(5)), func(in iter.Seq[item]) iter.Seq[item] { return slow(collected(in)) })
	for name, source := range map[string]Source[item]{
		"Via":              held,
		"Via of Via":       Via(Via(untilDone(items(5)), collected), slow),
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
