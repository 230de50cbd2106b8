package main

import "testing"

func TestDepth(t *testing.T) {
	d := make(depth)
	for _, l := range []level{
		{place{bid, 10}, 1}, {place{bid, 12}, 2}, {place{bid, 11}, 3},
		{place{ask, 15}, 4}, {place{ask, 13}, 5}, {place{ask, 14}, 6},
		{place{bid, 12}, 0}, {place{ask, 15}, 7},
	} {
		d.set(l)
	}
	if len(d) != 5 || d.contracts() != 22 {
		t.Errorf("got %d levels, %d contracts, want 5, 22", len(d), d.contracts())
	}
	if got := d.at(place{bid, 12}).size; got != 0 {
		t.Errorf("a removed level has size %d", got)
	}
	if p, ok := d.best(bid); p != 11 || !ok {
		t.Errorf("best bid %d, %t, want 11", p, ok)
	}
	if p, ok := d.best(ask); p != 13 || !ok {
		t.Errorf("best ask %d, %t, want 13", p, ok)
	}
}

func TestDepthBestOfNothing(t *testing.T) {
	d := depth{{ask, -5}: 1} // prices of spreads can be negative
	if p, ok := d.best(ask); p != -5 || !ok {
		t.Errorf("best ask %d, %t, want -5", p, ok)
	}
	if _, ok := d.best(bid); ok {
		t.Error("a book without bids has a best bid")
	}
}
