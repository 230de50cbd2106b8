package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

func TestConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConsumer(time.Millisecond, middleThird(time.Now(), 30*time.Second))
		handle := func(ctx context.Context, q Quote) (time.Duration, error) {
			begin := time.Now()
			err := c.handle(ctx, cache.Entry[string, Quote]{Key: q.Symbol, Value: q})
			return time.Since(begin), err
		}
		for _, test := range []struct{ at, want time.Duration }{
			{0, time.Millisecond}, {15 * time.Second, 6 * time.Millisecond}, {25 * time.Second, time.Millisecond},
		} {
			time.Sleep(test.at - time.Since(c.slow.from.Add(-10*time.Second)))
			if got, err := handle(t.Context(), Quote{Symbol: "A", Version: 1}); got != test.want || err != nil {
				t.Errorf("after %v it took %v with %v, want %v", test.at, got, err, test.want)
			}
		}

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := handle(ctx, Quote{Symbol: "A", Version: 2}); err != context.Canceled {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if !c.saw(Quote{Symbol: "A", Version: 1}) || c.saw(Quote{Symbol: "A", Version: 2}) {
			t.Error("want version 1 seen, and 2 not: its processing was cancelled")
		}
	})
}
