package operators

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStartOf(t *testing.T) {
	chicago := time.FixedZone("CST", -6*3600)
	day := 24 * time.Hour
	tests := []struct {
		at    time.Time
		width time.Duration
		want  time.Time
	}{
		{time.Date(2024, 3, 8, 14, 30, 59, 999_999_999, time.UTC), time.Minute, time.Date(2024, 3, 8, 14, 30, 0, 0, time.UTC)},
		{time.Date(2024, 3, 8, 14, 31, 0, 0, time.UTC), time.Minute, time.Date(2024, 3, 8, 14, 31, 0, 0, time.UTC)},
		{time.Date(2024, 3, 8, 22, 0, 0, 0, chicago), day, time.Date(2024, 3, 9, 0, 0, 0, 0, time.UTC)},
		// The epoch was a Thursday, so weeks begin on one.
		{time.Date(2024, 3, 8, 0, 0, 0, 0, time.UTC), 7 * day, time.Date(2024, 3, 7, 0, 0, 0, 0, time.UTC)},
		{time.Unix(0, -1), time.Second, time.Unix(-1, 0).UTC()},
		{time.Unix(0, 20), 7, time.Unix(0, 14).UTC()},
	}
	for _, tt := range tests {
		if got := startOf(tt.at, tt.width); got != tt.want {
			t.Errorf("%v by %v: starts at %v, want %v", tt.at, tt.width, got, tt.want)
		}
	}
}

func TestStartOfIsAMultipleSinceTheEpoch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int64Range(-1<<61, 1<<61).Draw(t, "at")
		width := rapid.Int64Range(1, 1<<60).Draw(t, "width")
		start := startOf(time.Unix(0, at), time.Duration(width)).UnixNano()
		if start%width != 0 || start > at || start <= at-width {
			t.Errorf("%d by %d: starts at %d", at, width, start)
		}
	})
}

// The reading of the monotonic clock, which event time has nothing to do with,
// must not stay in a start, where it would decide comparisons.
func TestStartOfHasNoMonotonicReading(t *testing.T) {
	now := time.Now()
	if got := startOf(now, 1); got != now.Round(0).UTC() {
		t.Errorf("got %v, want %v", got, now.Round(0).UTC())
	}
}
