package metronome_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/metronome"
)

// The clock of a bubble starts at 2000-01-01 00:00:00 UTC, which is
// 946,684,800 s after the epoch: a multiple of 10 ms, and 5 s more than one of 7 s.

func TestAlign(t *testing.T) {
	tests := []struct {
		name     string
		late     time.Duration // from the start of the bubble to that of the metronome
		interval time.Duration
		want     []time.Duration // due, since the start of the bubble
	}{
		{"between two multiples", 3 * ms, 10 * ms, []time.Duration{10 * ms, 20 * ms, 30 * ms}},
		{"just before a multiple", 10*ms - 1, 10 * ms, []time.Duration{10 * ms, 20 * ms, 30 * ms}},
		{"on a multiple: the next one is the first", 10 * ms, 10 * ms, []time.Duration{20 * ms, 30 * ms, 40 * ms}},
		{"seven seconds", 0, 7 * time.Second, []time.Duration{2 * time.Second, 9 * time.Second, 16 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bubble := time.Now()
				time.Sleep(tt.late)
				var got []time.Duration
				for b := range beats(t, t.Context(), metronome.Options{Interval: tt.interval, Align: true, Limit: 3}) {
					if b.Time.UnixNano()%int64(tt.interval) != 0 {
						t.Errorf("beat %d is due at %v, no multiple of %v", b.Sequence, b.Time, tt.interval)
					}
					if now := time.Now(); !now.Equal(b.Time) {
						t.Errorf("beat %d is yielded at %v, due at %v", b.Sequence, now, b.Time)
					}
					if want := uint64(len(got) + 1); b.Sequence != want || b.Missed != 0 {
						t.Errorf("beat %d, %d missed, want beat %d, none missed", b.Sequence, b.Missed, want)
					}
					got = append(got, b.Time.Sub(bubble))
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestAlignAfterSlowBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(4 * ms)
		start := time.Now()
		got := record(t, t.Context(), metronome.Options{Interval: 10 * ms, Align: true, Limit: 5}, map[uint64]time.Duration{1: 25 * ms})
		want := []beatAt{{1, 6 * ms, 0, 6 * ms}, {3, 26 * ms, 1, 31 * ms}, {4, 36 * ms, 0, 36 * ms}, {5, 46 * ms, 0, 46 * ms}}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v (since %v)", got, want, start)
		}
	})
}
