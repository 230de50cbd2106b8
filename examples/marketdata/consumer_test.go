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
		c := newConsumer(options{consume: time.Millisecond, slowdown: 6}, middleThird(time.Now(), 30*time.Second))
		handle := func(ctx context.Context, u Update) (time.Duration, error) {
			begin := time.Now()
			err := c.handle(ctx, cache.Entry[string, Update]{Key: u.Symbol, Value: u})
			return time.Since(begin), err
		}
		for _, test := range []struct{ at, want time.Duration }{
			{0, time.Millisecond}, {15 * time.Second, 6 * time.Millisecond}, {25 * time.Second, time.Millisecond},
		} {
			time.Sleep(test.at - time.Since(c.slow.from.Add(-10*time.Second)))
			if got, err := handle(t.Context(), Update{Symbol: "A", Version: 1}); got != test.want || err != nil {
				t.Errorf("after %v it took %v with %v, want %v", test.at, got, err, test.want)
			}
		}

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := handle(ctx, Update{Symbol: "A", Version: 2}); err != context.Canceled {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if !c.saw(Update{Symbol: "A", Version: 1}) || c.saw(Update{Symbol: "A", Version: 2}) {
			t.Error("want version 1 seen, and 2 not: its processing was cancelled")
		}
	})
}

func TestConsumerCapacity(t *testing.T) {
	c := newConsumer(options{consume: 10 * time.Millisecond, capacity: 4}, phase{})
	for running, want := range map[int]time.Duration{
		1: 10 * time.Millisecond, 4: 10 * time.Millisecond, 5: 12500 * time.Microsecond, 8: 20 * time.Millisecond,
	} {
		if got := c.duration(time.Now(), running); got != want {
			t.Errorf("%d running: %v, want %v", running, got, want)
		}
	}
	c.capacity = 0
	if got := c.duration(time.Now(), 1000); got != 10*time.Millisecond {
		t.Errorf("%v without a capacity, want 10 ms whatever runs", got)
	}
}

func TestConsumerChecksTrades(t *testing.T) {
	quote := func(version uint32) Update { return Update{Symbol: "A", Version: version} }
	trade := func(number, version uint32) Update { return Update{Symbol: "A", Version: version, Trade: number} }
	for _, test := range []struct {
		name    string
		updates []Update
		want    tape
	}{
		{"in order", []Update{quote(1), trade(1, 1), trade(2, 1), quote(5), trade(3, 5)}, tape{3, 3}},
		{"of another symbol", []Update{quote(1), {Symbol: "B", Version: 7}, trade(1, 1)}, tape{1, 1}},
		{"before its quote", []Update{quote(1), trade(1, 2), quote(2)}, tape{1, 0}},
		{"after a later quote", []Update{quote(1), quote(2), trade(1, 1)}, tape{1, 0}},
		{"one missing", []Update{quote(1), trade(1, 1), trade(3, 1)}, tape{2, 1}},
		{"one twice", []Update{quote(1), trade(1, 1), trade(1, 1)}, tape{2, 1}},
		{"swapped", []Update{quote(1), trade(2, 1), trade(1, 1)}, tape{2, 0}},
	} {
		c := newConsumer(options{}, phase{})
		for _, u := range test.updates {
			c.note(u)
		}
		if got := c.trades(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
