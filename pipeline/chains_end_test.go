package pipeline

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// untilDone is a source of values that then waits for its context.
func untilDone(values []item) Source[item] {
	return FromFunc(func(ctx context.Context) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) {
			for _, i := range values {
				if !yield(i, nil) {
					return
				}
			}
			<-ctx.Done()
		}
	})
}

// batchUntilDone is the same for one batch.
func batchUntilDone(values []item) Source[item] {
	return FromBatches(func(ctx context.Context) iter.Seq2[[]item, error] {
		return func(yield func([]item, error) bool) {
			if yield(values, nil) {
				<-ctx.Done()
			}
		}
	})
}

// pairs yields each pair of the keys of two maps.
func pairs[A, B any](a map[string]A, b map[string]B) iter.Seq[[2]string] {
	return func(yield func([2]string) bool) {
		for x := range a {
			for y := range b {
				if !yield([2]string{x, y}) {
					return
				}
			}
		}
	}
}

// What a chain holds back goes in at a stop, and when the input is let go of.
func TestHeldBackGoesIn(t *testing.T) {
	sources := map[string]func() Source[item]{
		"FromFunc":    func() Source[item] { return untilDone(items(7)) },
		"FromBatches": func() Source[item] { return batchUntilDone(items(7)) },
		"FromChannel": func() Source[item] {
			ch := make(chan item, 7)
			for _, i := range items(7) {
				ch <- i
			}
			return FromChannel(ch)
		},
	}
	throughs := map[string]func(Source[item]) Source[item]{
		"Via(Via)":    func(s Source[item]) Source[item] { return Via(Via(s, inFours), unchanged) },
		"TryVia":      func(s Source[item]) Source[item] { return TryVia(s, inSteps(inFours)) },
		"Via(TryVia)": func(s Source[item]) Source[item] { return Via(TryVia(s, inSteps(unchanged)), inFours) },
	}
	for _, o := range []Intermittent{{}, {On: 30 * time.Second, Off: time.Hour}} {
		for pair := range pairs(sources, throughs) {
			source, through := sources[pair[0]], throughs[pair[1]]
			t.Run(strings.Join(pair[:], " "), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := mustNew(t, Config[string, item]{})
					p.Produce(Producer[item]{Source: through(source()), Intermittent: o})
					p.Consume(func(context.Context, entry) error { return nil })
					start := time.Now()
					if err := p.Run(cancelAt(t, time.Minute)); err != nil || time.Since(start) != time.Minute {
						t.Errorf("Run returned %v after %v", err, time.Since(start))
					}
					if r := p.Stats().Producers[0]; r.Received != 7 || r.Admitted != 7 {
						t.Errorf("of 7: %+v (%+v)", r, o)
					}
				})
			})
		}
	}
}

// Behind a source that ends only with the run it comes too late, and is counted.
func TestHeldBackIsCounted(t *testing.T) {
	for name, through := range map[string]func(Source[item]) Source[item]{
		"Via":    func(s Source[item]) Source[item] { return Via(s, inFours) },
		"TryVia": func(s Source[item]) Source[item] { return TryVia(s, inSteps(inFours)) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustStop(t, through(thenWaits(Delivery[item]{Batch: items(7)})), 0)
				if r := p.Stats().Producers[0]; r.Admitted != 4 || r.Rejected != 3 {
					t.Errorf("of 7, of which 3 are held back: %+v", r)
				}
			})
		})
	}
}

// What a chain has to yield when its input has ended before the stop goes in.
func TestStopAmidWhatWasHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: Via(yielding(Delivery[item]{Batch: items(100)}), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				held := slices.Collect(in)
				cancel()
				synctest.Wait()
				slices.Values(held)(yield)
			}
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
		if r := p.Stats().Producers[0]; r.Admitted != 100 {
			t.Errorf("of 100: %+v", r)
		}
	})
}

// A chain that may wait, and does so behind its input, holds up a stop for a moment.
func TestStopBehindAChainThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mustStop(t, TryVia(yielding(Delivery[item]{Value: item{"a", 1}}), func(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for i := range in {
					yield(i, nil)
				}
				<-ctx.Done()
			}
		}), moment)
	})
}

// The stop waits for a source as a whole, and no longer.
func TestStopBehindASourceThatTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mustStop(t, func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				Via(untilDone(items(1)), unchanged)(ctx)(yield)
				time.Sleep(time.Second)
			}
		}, time.Second)
	})
}

// A stop waits a moment for a source that ought to end with its context.
func TestStopBehindASourceThatGoesOn(t *testing.T) {
	for name, through := range map[string]func(Source[item]) Source[item]{
		"none":   func(s Source[item]) Source[item] { return s },
		"Via":    func(s Source[item]) Source[item] { return Via(s, unchanged) },
		"TryVia": func(s Source[item]) Source[item] { return TryVia(s, inSteps(unchanged)) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := FromFunc(func(context.Context) iter.Seq2[item, error] {
					return func(func(item, error) bool) { time.Sleep(time.Minute) }
				})
				p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second, Grace: time.Second})
				p.Produce(Producer[item]{Source: through(source)})
				p.Consume(func(context.Context, entry) error { return nil })
				start, want := time.Now(), 2*time.Second+moment
				if err := p.Run(cancelAt(t, time.Second)); err == nil || time.Since(start) != want {
					t.Errorf("Run returned %v after %v, want a StuckError after %v", err, time.Since(start), want)
				}
				time.Sleep(time.Minute)
			})
		})
	}
}
