package main

import (
	"testing"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

func TestSince(t *testing.T) {
	before := sample{10, 20 * time.Millisecond, quota.Usage{Total: 20, Throttled: 5, Delayed: 6, Waited: 7}}
	after := sample{15, 30 * time.Millisecond, quota.Usage{Total: 30, Throttled: 6, Delayed: 8, Waited: 10}}
	if got, want := after.since(before), (used{5, 10 * time.Millisecond, 1, 2, 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, other := range []quota.Usage{
		{Total: 10, Throttled: 1},                   // forgotten, and begun again
		{ClientID: "app", Total: 100, Throttled: 1}, // no quota of its own any more
	} {
		after.usage = other
		if got, want := after.since(before), (used{5, 10 * time.Millisecond, 0, 0, 0}); got != want {
			t.Errorf("%+v: got %+v, want %+v", other, got, want)
		}
	}
}

func TestUsedShare(t *testing.T) {
	u := used{busy: 80 * time.Millisecond}
	if got := u.share(8, time.Second); got != 1 {
		t.Errorf("80 ms of 8 producers in 1 s is %v %%, want 1", got)
	}
}
