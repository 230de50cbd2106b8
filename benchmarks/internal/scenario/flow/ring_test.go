package flow

import (
	"slices"
	"testing"
	"time"
)

func TestRing(t *testing.T) {
	r := newRing(2)
	put := func(instrument, bid uint64) {
		r.put([]snapshot{{Instrument: instrument, Bid: bid}}, time.Time{})
	}
	check := func(want ...snapshot) {
		t.Helper()
		into := make([]snapshot, 4)
		n, open := r.take(into)
		if !slices.Equal(into[:n], want) || !open {
			t.Errorf("got %v, %v, want %v", into[:n], open, want)
		}
	}
	put(0, 1)
	put(1, 2)
	put(0, 3)
	check(snapshot{Instrument: 0, Bid: 3}, snapshot{Instrument: 1, Bid: 2})
	check()
	for i := range uint64(20) {
		put(i%2, i)
		check(snapshot{Instrument: i % 2, Bid: i})
	}
	put(1, 30)
	r.close()
	if n, open := r.take(make([]snapshot, 4)); n != 1 || open {
		t.Errorf("got %d, %v after the end", n, open)
	}
}
