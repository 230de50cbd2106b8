package quota

import (
	"math"
	"testing"
	"time"
)

func TestWindowKeepsASampleThatReachesIn(t *testing.T) {
	w := window{samples: 2, size: time.Second}
	w.record(0, 1)
	w.record(900*ms, 2)
	w.record(1100*ms, 4)
	// The first sample began 2.8 s ago; its last record is within 2 s.
	if r := w.read(2800 * ms); r != (reading{sum: 7, span: 2800 * ms}) {
		t.Errorf("got %+v, want all of it over 2.8s", r)
	}
	if r := w.read(2900 * ms); r.sum != 4 || r.span != 1800*ms {
		t.Errorf("got %+v, want 4 over 1.8s", r)
	}
	if r := w.read(time.Hour); r != (reading{sum: 0, span: time.Second}) {
		t.Errorf("got %+v, want nothing", r)
	}
}

func TestWindowTimeRunsBack(t *testing.T) {
	for _, floor := range []bool{false, true} {
		w := window{samples: 1, size: time.Second, floor: floor}
		w.record(5*time.Second, 1)
		w.record(4*time.Second, 2)
		if r := w.read(4 * time.Second); r.sum != 3 || r.rate() < 0 {
			t.Errorf("floor %v: got %+v", floor, r)
		}
	}
}

func TestAddSaturates(t *testing.T) {
	for _, tt := range []struct{ a, b, want int64 }{
		{1, 2, 3}, {math.MaxInt64, 1, math.MaxInt64}, {math.MinInt64, -1, math.MinInt64}, {math.MaxInt64, math.MinInt64, -1},
	} {
		if got := add(tt.a, tt.b); got != tt.want {
			t.Errorf("%d + %d = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
