package mbo

import (
	"maps"
	"slices"
	"testing"
)

func TestSynthetic(t *testing.T) {
	events := Synthetic(1, 30_000)
	if !slices.Equal(events, Synthetic(1, 30_000)) || slices.Equal(events, Synthetic(2, 30_000)) {
		t.Error("the seed does not decide")
	}
	b, seen := NewBook(), make(map[Place]bool)
	for i, e := range events {
		if i > 0 && e.Received < events[i-1].Received {
			t.Fatalf("event %d is earlier than the one before", i)
		}
		n, changed := b.Apply(e)
		for _, l := range changed[:n] {
			seen[l.Place] = true
		}
	}
	if len(seen) < 1000 || len(b.Depth) < 500 {
		t.Errorf("%d places, %d left, want more", len(seen), len(b.Depth))
	}
	for p, size := range maps.All(b.Depth) {
		if size < 0 {
			t.Errorf("%v has size %d", p, size)
		}
	}
}
