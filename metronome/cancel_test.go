package metronome_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/metronome"
)

func TestCancelBetweenBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 25*ms)
		defer cancel()
		got := record(t, ctx, metronome.Options{Interval: 10 * ms}, nil)
		if len(got) != 2 {
			t.Errorf("%d beats, want 2", len(got))
		}
		if took := time.Since(start); took != 25*ms {
			t.Errorf("ended after %v, want 25ms", took)
		}
	})
}

func TestCancelInBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last uint64
		for b := range beats(t, ctx, metronome.Options{Interval: 10 * ms}) {
			last = b.Sequence
			if last == 3 {
				cancel()
				time.Sleep(25 * ms) // beats are due when the body ends, and not yielded
			}
		}
		if last != 3 {
			t.Errorf("last beat %d, want 3", last)
		}
		if took := time.Since(start); took != 55*ms {
			t.Errorf("ended after %v, want 55ms", took)
		}
	})
}

func TestCancelledBeforeTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		start := time.Now()
		for _, interval := range []time.Duration{0, 10 * ms} {
			if got := record(t, ctx, metronome.Options{Interval: interval}, nil); len(got) != 0 {
				t.Errorf("interval %v: got %v, want no beat", interval, got)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v, want no time", took)
		}
	})
}

func TestDisabledEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if got := record(t, ctx, metronome.Options{Align: true, Limit: 1}, nil); len(got) != 0 {
			t.Errorf("got %v, want no beat", got)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("ended after %v, want 1h", took)
		}
	})
}
