package mbo

import (
	"maps"
	"testing"
)

func TestBook(t *testing.T) {
	low, high := Place{Bid, 1}, Place{Bid, 2}
	b := NewBook()
	for i, step := range []struct {
		event   Event
		changed int
		want    Depth
	}{
		{Event{0, Add, low, 5, 1}, 1, Depth{low: 5}},
		{Event{0, Add, low, 2, 2}, 1, Depth{low: 7}},
		{Event{0, Trade, low, 2, 2}, 0, Depth{low: 7}},
		{Event{0, Cancel, low, 3, 1}, 1, Depth{low: 4}},
		{Event{0, Modify, high, 6, 2}, 2, Depth{low: 2, high: 6}},
		{Event{0, Modify, high, 6, 2}, 0, Depth{low: 2, high: 6}},
		{Event{0, Cancel, low, 9, 1}, 1, Depth{high: 6}},
		{Event{0, Cancel, low, 9, 1}, 0, Depth{high: 6}},
	} {
		n, changed := b.Apply(step.event)
		if n != step.changed || !maps.Equal(b.Depth, step.want) {
			t.Errorf("step %d: %d levels changed, %v; want %d, %v", i, n, b.Depth, step.changed, step.want)
		}
		for _, l := range changed[:n] {
			if l.Size != step.want[l.Place] {
				t.Errorf("step %d: level %v, want size %d", i, l, step.want[l.Place])
			}
		}
	}
	c := b.Clone()
	c.Apply(Event{0, Add, low, 1, 3})
	if len(b.Depth) != 1 {
		t.Error("a change of the copy changed the book")
	}
}
