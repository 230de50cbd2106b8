package main

import "testing"

func TestRates(t *testing.T) {
	before := map[string]traffic{"w1": {Received: 10, Written: 5}}
	now := map[string]traffic{"w1": {Received: 110, Written: 25}, "w2": {Received: 7, Written: 7}}
	want := "w1   100 in    20 out   w2     7 in     7 out   w3     0 in     0 out"
	if got := rates(3, before, now); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
