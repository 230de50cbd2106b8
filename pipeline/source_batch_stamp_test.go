package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

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

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// The values of a batch have come together, a later batch later. What a chain
// yields at its end has come then.
func TestSourceBatchStamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(Delivery[item]{Batch: []item{{"a", 1}, {"b", 1}}}, nil)
				wait(ctx, time.Hour)
				_ = yield(Delivery[item]{Batch: []item{{"c", 1}, {"d", 1}}}, nil) &&
					yield(Delivery[item]{Batch: []item{{"e", 1}, {"f", 1}}, At: time.Now().Add(-time.Minute)}, nil)
				wait(ctx, time.Hour)
			}
		}
		const h = time.Hour
		want := map[string]time.Duration{"a": 0, "b": 0, "c": h, "d": h, "e": h - time.Minute, "f": h - time.Minute, "end": 2 * h}
		for name, source := range map[string]Source[item]{
			"plain": source,
			"Via": Via(source, func(in iter.Seq[item]) iter.Seq[item] {
				return func(yield func(item) bool) {
					for i := range in {
						if time.Sleep(ms); !yield(i) {
							return
						}
					}
					yield(item{"end", 1})
				}
			}),
			"TryVia": TryVia(source, func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
				return operators.TryMap(in, func(i item) (item, error) { time.Sleep(ms); return i, nil })
			}),
		} {
			stamps, _ := stampsOf(t, source)
			for key, got := range stamps {
				if d := got - want[key]; d < 0 || d > 10*ms || d > 0 && name == "plain" {
					t.Errorf("%s: %s came at %v, want %v", name, key, got, want[key])
				}
			}
			if _, ended := stamps["end"]; len(stamps) < 6 || ended != (name == "Via") {
				t.Errorf("%s: only %v", name, stamps)
			}
		}
	})
}

// A step that waits delays only what is behind it.
func TestSourceBatchThroughStepsThatWait(t *testing.T) {
	throttled := func(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
		return operators.Throttle(ctx, in, 1, time.Second)
	}
	for name, through := range map[string]func(Source[item]) Source[item]{
		"TryVia":           func(s Source[item]) Source[item] { return TryVia(s, throttled) },
		"TryVia after Via": func(s Source[item]) Source[item] { return TryVia(Via(s, unchanged), throttled) },
		"Via after TryVia": func(s Source[item]) Source[item] { return Via(TryVia(s, throttled), unchanged) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				three := []item{{"a", 1}, {"b", 1}, {"c", 1}}
				ch := make(chan item, 3)
				for _, i := range three {
					ch <- i
				}
				close(ch)
				for _, source := range []Source[item]{FromChannel(ch), yielding(Delivery[item]{Batch: three})} {
					_, came := stampsOf(t, through(source))
					for n, i := range three {
						if want := time.Duration(n) * time.Second; came[i.key] != want {
							t.Errorf("%s came at %v, want %v", i.key, came[i.key], want)
						}
					}
				}
			})
		})
	}
}
