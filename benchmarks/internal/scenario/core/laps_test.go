package core

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := start()
		for _, d := range []time.Duration{time.Millisecond, 4 * time.Millisecond, time.Millisecond} {
			time.Sleep(d)
			l.next()
		}
		if got := milliseconds(l.slowest); got != 4 {
			t.Errorf("slowest %v ms, want 4", got)
		}
		if got := l.mean(3); got != 2e6 {
			t.Errorf("mean %v ns, want 2 ms", got)
		}
	})
}
