package main

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	start := time.Now()
	for _, rate := range []int{1, 7, 1000, 200_000} {
		p := newPace(rate, start)
		given, burst := 0, 0
		for ms := 1; ms <= 3000; ms++ {
			n := p.due(start.Add(time.Duration(ms) * time.Millisecond))
			given += n
			if ms%1000 > 0 && ms%1000 <= 200 {
				burst += n
			}
		}
		if given != 3*rate {
			t.Errorf("rate %d: %d in 3 s, want %d", rate, given, 3*rate)
		}
		if want := 3 * rate * 3 / 5; burst < want-5 || burst > want+5 {
			t.Errorf("rate %d: %d in the bursts, want about %d", rate, burst, want)
		}
	}
}

func TestPaceAfterPause(t *testing.T) {
	start := time.Now()
	p := newPace(1000, start)
	if got := p.due(start.Add(10 * time.Second)); got != 150 {
		t.Errorf("%d after a pause, want those of 50 ms of a burst, 150", got)
	}
	if got := p.due(start.Add(10*time.Second + 40*time.Millisecond)); got != 120 {
		t.Errorf("%d in the 40 ms after it, want 120: the rest of the pause is lost", got)
	}
}
