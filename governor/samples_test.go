package governor

import (
	"testing"
	"time"
)

func TestSamples(t *testing.T) {
	s := samples{}.add(2*ms, true).add(4*ms, false)
	if s.count != 2 || s.signal(Mean) != 3*ms || s.signal(Maximum) != 4*ms {
		t.Errorf("count %d, mean %v, maximum %v, want 2, 3ms and 4ms", s.count, s.signal(Mean), s.signal(Maximum))
	}
	if s.mostQueued() || s.noneQueued() {
		t.Error("one of two is neither most nor none")
	}
	if s = s.add(0, true); !s.mostQueued() || s.signal(Maximum) != 4*ms {
		t.Error("two of three is most, and the maximum need not come last")
	}
	if !(samples{}).add(ms, false).noneQueued() {
		t.Error("none of one is none")
	}
}

func TestSamplesKeepWhatAQuantileNeeds(t *testing.T) {
	s := newSamples(4, 0.5)
	for round := range 3 {
		for i, latency := range []time.Duration{9, 1, 5, 7} {
			s = s.add(latency*ms+time.Duration(round), i == 0)
		}
		if got, want := s.signal(0.5), 5*ms+time.Duration(round); got != want {
			t.Errorf("round %d: median %v, want %v", round, got, want)
		}
		if s = s.empty(); s.count != 0 || s.queued != 0 || s.sum != 0 || s.most != 0 || cap(s.latencies) != 4 {
			t.Errorf("emptied: %+v", s)
		}
	}
	for _, signal := range []Signal{Mean, Maximum} {
		if s := newSamples(4, signal).add(ms, true); s.latencies != nil {
			t.Errorf("signal %v keeps latencies", signal)
		}
	}
}
