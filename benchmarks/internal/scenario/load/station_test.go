package load

import (
	"testing"
	"time"
)

func TestStation(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	s := &station{
		service:  10 * time.Millisecond,
		slowFrom: at(100), slowTo: at(200), end: at(1000),
		busy: make([]time.Time, 2),
	}
	for i, step := range []struct{ now, want int }{
		{0, 10}, {0, 10}, {0, 20}, // the third waits for a server
		{95, 105}, {100, 160}, {100, 165}, // slow from 100 on
		{199, 259}, {199, 259}, {199, 269}, // what begins after 200 is quick again
		{1001, 1001},
	} {
		if got := s.hand(at(step.now)); !got.Equal(at(step.want)) {
			t.Errorf("entry %d: done at %v, want %v", i, got.Sub(start), at(step.want).Sub(start))
		}
	}
}
