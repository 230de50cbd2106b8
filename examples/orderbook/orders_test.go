package main

import (
	"slices"
	"testing"
)

func TestOrdersApply(t *testing.T) {
	low, high := place{bid, 10}, place{bid, 11}
	steps := []struct {
		name string
		event
		want []level
	}{
		{"an order comes", event{action: add, place: low, size: 5, order: 1}, []level{{low, 5}}},
		{"another queues", event{action: add, place: low, size: 3, order: 2}, []level{{low, 8}}},
		{"one shrinks", event{action: modify, place: low, size: 4, order: 1}, []level{{low, 7}}},
		{"nothing changes", event{action: modify, place: low, size: 4, order: 1}, nil},
		{"one moves", event{action: modify, place: high, size: 6, order: 1}, []level{{low, 3}, {high, 6}}},
		{"a part is cancelled", event{action: cancel, place: high, size: 2, order: 1}, []level{{high, 4}}},
		{"a cancel without a place", event{action: cancel, size: 1, order: 1}, []level{{high, 3}}},
		{"more than is left is cancelled", event{action: cancel, place: high, size: 9, order: 1}, []level{{high, 0}}},
		{"an unknown order is cancelled", event{action: cancel, place: low, size: 1, order: 1}, nil},
		{"an unknown order is modified", event{action: modify, place: high, size: 2, order: 7}, []level{{high, 2}}},
	}
	o := newOrders()
	for _, s := range steps {
		if got := slices.Collect(o.apply(s.event)); !slices.Equal(got, s.want) {
			t.Errorf("%s: got %v, want %v", s.name, got, s.want)
		}
	}
	if len(o.live) != 2 {
		t.Errorf("%d orders live, want 2", len(o.live))
	}
}
