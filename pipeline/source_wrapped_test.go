package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"
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
