package governor

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSignalNeedsAWindow(t *testing.T) {
	tests := map[Signal]int{
		Mean: 1, Maximum: 1, 0.5: 2, 0.9: 10, 0.95: 20, 0.99: 100, 0.999: 1000, 0.1: 10, 0.75: 4, 0.7: 4,
	}
	for signal, want := range tests {
		if got := signal.least(); got != want {
			t.Errorf("%v needs %d, want %d", signal, got, want)
		}
	}
}

// Of a window as large as is asked for, the quantile is not the maximum.
func TestSignalLeastIsEnoughAndNoMore(t *testing.T) {
	for percent := 1; percent <= 99; percent++ {
		q := float64(percent) / 100
		least := Signal(q).least()
		ranks := make([]time.Duration, least)
		for i := range ranks {
			ranks[i] = time.Duration(i + 1)
		}
		if got := nearestRank(ranks, q); int(got) == least {
			t.Errorf("%v of %d is the maximum", q, least)
		}
		if got := nearestRank(ranks[1:], q); percent > 50 && int(got) != least {
			t.Errorf("%v of %d is rank %d: a smaller window would do", q, least-1, got-1)
		}
	}
}

func TestNearestRankIsTheSmallestThatEnoughAreAtOrBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latencies := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(0, 30).Draw(t, "latency"))
		}), 1, 40).Draw(t, "latencies")
		percent := rapid.IntRange(1, 100).Draw(t, "percent")
		atOrBelow := func(bound time.Duration) (n int) {
			for _, l := range latencies {
				if l <= bound {
					n++
				}
			}
			return n
		}
		got := nearestRank(latencies, float64(percent)/100)
		if 100*atOrBelow(got) < percent*len(latencies) {
			t.Fatalf("only %d of %d are at or below %d", atOrBelow(got), len(latencies), got)
		}
		if 100*atOrBelow(got-1) >= percent*len(latencies) {
			t.Fatalf("%d of %d are below %d already", atOrBelow(got-1), len(latencies), got)
		}
	})
}
