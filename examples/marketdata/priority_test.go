package main

import "testing"

func TestPriority(t *testing.T) {
	for symbol, want := range map[string]bool{"TOP0001": true, "TOP0021": true, "SYM0002": false} {
		if got := priority(symbol, Update{}) == headStart; got != want {
			t.Errorf("%s: head start %v, want %v", symbol, got, want)
		}
	}
}

func TestPriorityGoesFirst(t *testing.T) {
	watch(t, "-priority -workers 2 -consume 2ms -interval 400us", func(t *testing.T, p *program, s summary) {
		if s.HighValueWaitP99 <= 0 || s.OthersWaitP99 < 2*s.HighValueWaitP99 {
			t.Errorf("wait p99 %v ms and %v ms, want high value to wait much less", s.HighValueWaitP99, s.OthersWaitP99)
		}
		if lead := s.OthersWaitP99 - s.HighValueWaitP99; lead > 1.2*milliseconds(headStart) {
			t.Errorf("wait p99 %v ms and %v ms, want no more than the head start between them", s.HighValueWaitP99, s.OthersWaitP99)
		}
	})
}
