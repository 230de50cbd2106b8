package pipeline

import (
	"math"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	tests := []struct {
		backoff Backoff
		attempt int
		want    time.Duration
	}{
		{Backoff{10, 1000}, 1, 10},
		{Backoff{10, 1000}, 2, 20},
		{Backoff{10, 1000}, 7, 640},
		{Backoff{10, 1000}, 8, 1000},
		{Backoff{10, 1000}, math.MaxInt, 1000},
		{Backoff{10, 10}, 5, 10},
		{Backoff{10, math.MaxInt64}, 64, math.MaxInt64},
		{Backoff{10, math.MaxInt64}, 1000, math.MaxInt64},
	}
	for _, test := range tests {
		if got := test.backoff.after(test.attempt); got != test.want {
			t.Errorf("%+v after attempt %d is %d, want %d", test.backoff, test.attempt, got, test.want)
		}
	}
}
