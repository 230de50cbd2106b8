package load

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

func newFeed() *feed {
	return &feed{
		keys:   newKeys(10, true),
		rate:   10_000,
		length: 100 * time.Millisecond,
		onHalf: func() {},
		onWarm: func() {},
		start:  time.Now(),
	}
}

func TestValueHas64Bytes(t *testing.T) {
	if got := unsafe.Sizeof(quote{}); got != 64 {
		t.Errorf("%d bytes", got)
	}
}

func TestFeedKeepsItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		f.warm = 50 * time.Millisecond
		warmAfter := 0
		f.onWarm = func() { warmAfter = f.fed }
		n := 0
		f.run(t.Context(), func(q quote) bool {
			if want := f.start.Add(time.Duration(n) * 100 * time.Microsecond); !q.due.Equal(want) {
				t.Fatalf("value %d was due at %v, want %v", n, q.due, want)
			}
			n++
			return true
		})
		if n != f.fed || n < 980 || n > 1000 || warmAfter < 490 || warmAfter > 510 {
			t.Errorf("%d values, %d of them to warm up; want 990 and 500", n, warmAfter)
		}
	})
}

// What onHalf takes, which collects garbage, delays no value and shortens nothing.
func TestFeedStandsStillWhileItWarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		f.warm = 50 * time.Millisecond
		f.onHalf = func() { time.Sleep(30 * time.Millisecond) }
		start := time.Now()
		f.run(t.Context(), func(q quote) bool {
			if late := time.Since(q.due); late > 2*tick {
				t.Fatalf("a value is %v late", late)
			}
			return true
		})
		if took := time.Since(start); f.fed < 980 || f.fed > 1010 || took < 130*time.Millisecond || took > 133*time.Millisecond {
			t.Errorf("%d values in %v, want 1000 in 130 ms", f.fed, took)
		}
	})
}

func TestFeedFillsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		f.fill, f.warm = true, 50*time.Millisecond
		var got []int
		f.run(t.Context(), func(q quote) bool {
			got = append(got, q.key)
			if q.sequence != uint64(len(got)) {
				t.Fatalf("value %d has number %d", len(got), q.sequence)
			}
			return true
		})
		if len(got) != 10+f.fed || !slices.Equal(got[:10], []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("%d values, of which the first are of keys %v; want each key once first", len(got), got[:10])
		}
	})
}

func TestFeedEndsInTimeWhenBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		f.run(t.Context(), func(quote) bool {
			time.Sleep(time.Millisecond)
			return true
		})
		if took := time.Since(f.start); took > 170*time.Millisecond {
			t.Errorf("took %v, want 100 ms and at most 64 values more", took)
		}
	})
}

// TestFeedMakesUpForWhatWasHeldUp: else a slow side would be measured under a
// smaller load than the others.
func TestFeedMakesUpForWhatWasHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		var latest time.Duration
		f.run(t.Context(), func(q quote) bool {
			latest = max(latest, time.Since(q.due))
			if q.sequence == 100 {
				time.Sleep(50 * time.Millisecond)
			}
			return true
		})
		if f.fed < 980 || latest < 49*time.Millisecond {
			t.Errorf("%d values, late by %v at most; want 990, and 50ms", f.fed, latest)
		}
	})
}

func TestFeedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := newFeed()
	f.run(ctx, func(quote) bool { return true })
	if f.fed > 0 {
		t.Errorf("%d values", f.fed)
	}
}
