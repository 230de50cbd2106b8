package quota

import (
	"math"
	"testing"
	"time"
)

func TestExcess(t *testing.T) {
	second := func(sum int64) reading { return reading{sum: sum, span: time.Second} }
	tests := []struct {
		name  string
		r     reading
		limit float64
		most  time.Duration
		want  time.Duration
	}{
		{"within", second(79e6), 80e6, time.Second, 0},
		{"equal", second(80e6), 80e6, time.Second, 0},
		{"equal but for rounding", second(80e6), 80e6 * (1 - 1e-12), time.Second, 0},
		{"half as much again", second(120e6), 80e6, time.Second, 500 * ms},
		{"over by less than half a millisecond", second(80e6 + 39e3), 80e6, time.Second, 0},
		{"over by more than half a millisecond", second(80e6 + 41e3), 80e6, time.Second, ms},
		{"capped", second(800e6), 80e6, time.Second, time.Second},
		{"longer than time can be", second(math.MaxInt64), 1e-300, math.MaxInt64, math.MaxInt64},
		{"no limit", second(math.MaxInt64), math.Inf(1), time.Second, 0},
	}
	for _, tt := range tests {
		if got := tt.r.excess(tt.limit, tt.most); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestOverAllowsForRounding(t *testing.T) {
	r := reading{sum: 80e6, span: time.Second}
	for limit, want := range map[float64]bool{80e6: false, 80e6 * (1 - 1e-12): false, 80e6 * (1 - 1e-8): true} {
		if got := r.over(limit); got != want {
			t.Errorf("80e6 over %v: %v, want %v", limit, got, want)
		}
	}
}
