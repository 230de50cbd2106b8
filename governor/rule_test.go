package governor

import (
	"reflect"
	"testing"
	"time"
)

var epoch = time.Unix(0, 0)

// at is a time so many milliseconds after the epoch.
func at(milliseconds float64) time.Time {
	return epoch.Add(time.Duration(milliseconds * float64(ms)))
}

func testRule(asynchronous bool) rule {
	return rule{
		asynchronous: asynchronous, base: 10, max: 20, reads: 1, maxReads: 1,
		window: 2, high: 10 * ms, low: 4 * ms, period: 10 * ms,
	}
}

func TestRuleJudges(t *testing.T) {
	const pulling, async = false, true
	tests := []struct {
		name         string
		asynchronous bool
		divisor      int
		latencies    [2]float64 // milliseconds
		queued       [2]bool
		wantDivisor  int
		want         Reason
	}{
		{"pulling, high and queued", pulling, 12, [2]float64{11, 12}, [2]bool{true, true}, 13, Slower},
		{"pulling, high, half queued", pulling, 12, [2]float64{11, 12}, [2]bool{true, false}, 12, Hold},
		{"pulling, high, none queued", pulling, 12, [2]float64{11, 12}, [2]bool{}, 11, Faster},
		{"pulling, low and queued", pulling, 12, [2]float64{1, 1}, [2]bool{true, true}, 12, Hold},
		{"pulling, low, none queued", pulling, 12, [2]float64{1, 1}, [2]bool{}, 11, Faster},
		{"pulling, at base", pulling, 10, [2]float64{1, 1}, [2]bool{}, 10, AtBase},
		{"pulling, at max", pulling, 20, [2]float64{11, 11}, [2]bool{true, true}, 20, AtMax},
		{"asynchronous, high and queued", async, 12, [2]float64{11, 12}, [2]bool{true, true}, 13, Slower},
		{"asynchronous, high, half queued", async, 12, [2]float64{11, 12}, [2]bool{true, false}, 12, NoQueue},
		{"asynchronous, high, none queued", async, 12, [2]float64{11, 12}, [2]bool{}, 12, NoQueue},
		{"asynchronous, exactly high", async, 12, [2]float64{10, 10}, [2]bool{true, true}, 12, Hold},
		{"asynchronous, the mean counts", async, 12, [2]float64{2, 18.1}, [2]bool{true, true}, 13, Slower},
		{"asynchronous, between", async, 12, [2]float64{5, 6}, [2]bool{true, false}, 12, Hold},
		{"asynchronous, between, none queued", async, 12, [2]float64{5, 6}, [2]bool{}, 11, Faster},
		{"asynchronous, exactly low", async, 12, [2]float64{4, 4}, [2]bool{true, false}, 12, Hold},
		{"asynchronous, low though queued", async, 12, [2]float64{1, 3}, [2]bool{true, true}, 11, Faster},
		{"asynchronous, at base", async, 10, [2]float64{1, 1}, [2]bool{}, 10, AtBase},
		{"asynchronous, at max", async, 20, [2]float64{11, 11}, [2]bool{true, true}, 20, AtMax},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, s := testRule(tt.asynchronous), ruleState{gear: gear{tt.divisor, 1}}
			s, v := r.finish(s, finish{at(100), at(100 + tt.latencies[0]), tt.queued[0]})
			if v != (verdict{}) {
				t.Fatalf("one of two samples gave %v", v.reason)
			}
			end := at(100 + tt.latencies[1])
			s, v = r.finish(s, finish{at(100), end, tt.queued[1]})
			if s.divisor != tt.wantDivisor || v.reason != tt.want {
				t.Errorf("%d %v, want %d %v", s.divisor, v.reason, tt.wantDivisor, tt.want)
			}
			if v.count != 2 || s.samples.count != 0 {
				t.Errorf("verdict on %d samples, %d left", v.count, s.samples.count)
			}
			if changed := s.changed.Equal(end); changed != (tt.divisor != tt.wantDivisor) {
				t.Errorf("changed at %v", s.changed)
			}
		})
	}
}

func TestRuleIgnoresWhatAChangeCannotHaveTouched(t *testing.T) {
	r, before := testRule(true), ruleState{gear: gear{12, 1}, changed: at(100)}
	after, v := r.finish(before, finish{at(99.9), at(150), true})
	if !reflect.DeepEqual(after, before) || v != (verdict{}) {
		t.Errorf("released before the change: %+v %v", after, v.reason)
	}
	if after, _ = r.finish(before, finish{at(100), at(150), true}); after.samples.count != 1 {
		t.Error("released at the change: not collected")
	}
}

// The signal is what is compared with High (10 ms), and what the verdict shows.
func TestRuleSignal(t *testing.T) {
	latencies := []float64{2, 30, 4, 3, 5, 6, 7, 8, 9, 10} // mean 8.4
	tests := []struct {
		signal Signal
		want   time.Duration
		reason Reason
	}{
		{Mean, 8400 * time.Microsecond, Hold},
		{Maximum, 30 * ms, Slower},
		{0.9, 10 * ms, Hold},
		{0.91, 30 * ms, Slower}, // not to be had with this window through New
		{0.5, 6 * ms, Hold},
		{0.1, 2 * ms, Faster},
	}
	for _, tt := range tests {
		r := testRule(true)
		r.window, r.signal = len(latencies), tt.signal
		s, v := ruleState{gear: gear{12, 1}, samples: newSamples(r.window, r.signal)}, verdict{}
		for round := range 2 { // the second in the room of the first
			s.changed = time.Time{}
			for _, l := range latencies {
				s, v = r.finish(s, finish{at(100), at(100 + l), true})
			}
			if v.signal != tt.want || v.reason != tt.reason || v.count != len(latencies) {
				t.Errorf("signal %v, round %d: %v %v of %d, want %v %v", tt.signal, round, v.signal, v.reason, v.count, tt.want, tt.reason)
			}
		}
	}
}
