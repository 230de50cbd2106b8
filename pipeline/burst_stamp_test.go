package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// stampsOf runs a source and returns when its values, each of a key of its own,
// are said to have come, and when they came.
func stampsOf(t *testing.T, source Source[item]) (stamps, came map[string]time.Duration) {
	t.Helper()
	stamps, came = map[string]time.Duration{}, map[string]time.Duration{}
	start := time.Now()
	mustRun(t, Config[string, item]{}, source, func(_ context.Context, e entry) error {
		stamps[e.Key] = e.Inserted().Sub(start)
		came[e.Key] = time.Since(start)
		return nil
	})
	return stamps, came
}

// A stamp that deliveries share is one of the same burst, also where the first
// of them brings its own.
func TestBurstSharesNoOldStamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				d := func(key string, more bool) Delivery[item] { return Delivery[item]{Value: item{key, 1}, More: more} }
				own := d("own", true)
				_ = yield(d("a", true), nil) && yield(d("b", false), nil)
				wait(ctx, time.Hour)
				own.At = time.Now()
				_ = yield(own, nil) && yield(d("c", true), nil) && yield(d("d", false), nil)
			}
		}
		for name, source := range map[string]Source[item]{
			"plain": source,
			"chain": Via(source, func(in iter.Seq[item]) iter.Seq[item] { return in }),
			"try": TryVia(source, func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
				return operators.TryMap(in, func(i item) (item, error) { return i, nil })
			}),
		} {
			stamps, _ := stampsOf(t, source)
			for key, want := range map[string]time.Duration{"a": 0, "b": 0, "own": time.Hour, "c": time.Hour, "d": time.Hour} {
				if got := stamps[key]; got != want {
					t.Errorf("%s: %s came at %v, want %v", name, key, got, want)
				}
			}
		}
	})
}

// What a chain yields at its end has come then.
func TestBurstStampAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(Delivery[item]{Value: item{"a", 1}, More: true}, nil) && yield(Delivery[item]{Value: item{"b", 1}}, nil)
				wait(ctx, time.Hour)
			}
		}
		stamps, _ := stampsOf(t, Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range in {
					if !yield(i) {
						return
					}
				}
				yield(item{"end", 1})
			}
		}))
		if stamps["end"] != time.Hour {
			t.Errorf("came at %v, want %v", stamps["end"], time.Hour)
		}
	})
}

// A step that waits, and a wrapper that does and says so, delays only what is
// behind it.
func TestBurstThroughStepsThatWait(t *testing.T) {
	throttled := func(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
		return operators.Throttle(ctx, in, 1, time.Second)
	}
	same := func(in iter.Seq[item]) iter.Seq[item] { return in }
	waiting := func(source Source[item], keeps bool) Source[item] {
		return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for d, err := range source(ctx) {
					d.More = d.More && keeps
					if !yield(d, err) {
						return
					}
					wait(ctx, time.Second)
				}
			}
		}
	}
	channel := func() Source[item] {
		ch := make(chan item, 3)
		for _, key := range []string{"a", "b", "c"} {
			ch <- item{key, 1}
		}
		close(ch)
		return FromChannel(ch)
	}
	for name, make := range map[string]func() Source[item]{
		"TryVia":           func() Source[item] { return TryVia(channel(), throttled) },
		"TryVia after Via": func() Source[item] { return TryVia(Via(channel(), same), throttled) },
		"Via after TryVia": func() Source[item] { return Via(TryVia(channel(), throttled), same) },
		"wrapper":          func() Source[item] { return waiting(channel(), false) },
		"wrapper of Via":   func() Source[item] { return waiting(Via(channel(), same), false) },
		"Via of wrapper":   func() Source[item] { return Via(waiting(channel(), false), same) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, came := stampsOf(t, make())
				for n, key := range []string{"a", "b", "c"} {
					if want := time.Duration(n) * time.Second; came[key] != want {
						t.Errorf("%s came at %v, want %v", key, came[key], want)
					}
				}
			})
		})
	}
}

// Where each value is admitted as it comes each has a stamp of its own, since the
// source may be held back in between.
func TestBurstSingleStamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := burst{single: true}
		first := b.now()
		time.Sleep(time.Second)
		if got := b.now().Sub(first); got != time.Second {
			t.Errorf("the second is stamped %v later, want 1s", got)
		}
	})
}

// One reading of the clock serves no more than are staged.
func TestBurstSharesAStampWithSome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b burst
		first := b.now()
		time.Sleep(time.Second)
		for range staged - 1 {
			if !b.now().Equal(first) {
				t.Fatal("not shared")
			}
		}
		if b.now().Equal(first) {
			t.Error("shared with more")
		}
	})
}

// What came of a source that has ended does not wait for the rest of the chain.
func TestBurstEndsWithTheSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := brokenOff(atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 1}}))
		_, came := stampsOf(t, Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				in(yield)
				time.Sleep(time.Hour)
			}
		}))
		if came["a"] != 0 || came["b"] != 0 {
			t.Errorf("came at %v", came)
		}
	})
}

// Deliveries share a stamp before a chain, but not before one that may wait.
func TestBurstStampsBeforeChains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := func() Source[item] {
			start := time.Now()
			return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					_ = yield(Delivery[item]{Value: item{"a", 1}, More: true, At: start}, nil) && yield(Delivery[item]{Value: item{"b", 1}, More: true}, nil)
					wait(ctx, time.Second)
					_ = yield(Delivery[item]{Value: item{"c", 2}}, nil)
				}
			}
		}
		late := func(i item) bool { return i.n == 2 }
		stamps, _ := stampsOf(t, Via(source(), func(in iter.Seq[item]) iter.Seq[item] { return operators.Filter(in, late) }))
		if got := stamps["c"]; got != 0 {
			t.Errorf("Via: stamped %v, want 0s", got)
		}
		stamps, _ = stampsOf(t, TryVia(source(), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return operators.TryMap(operators.Filter(in, late), func(i item) (item, error) { return i, nil })
		}))
		if got := stamps["c"]; got != time.Second {
			t.Errorf("TryVia: stamped %v, want 1s", got)
		}
	})
}
