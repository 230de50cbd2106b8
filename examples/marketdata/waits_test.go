package main

import (
	"testing"
	"time"
)

func TestWaits(t *testing.T) {
	var w waits
	if got := w.next(); got != (waitP99{}) {
		t.Errorf("got %v of nothing, want 0", got)
	}
	for i := range 100 {
		w.add("TOP0001", time.Duration(100-i))
		w.add("SYM0002", time.Duration(1000*(i+1)))
	}
	if got, want := w.next(), (waitP99{99, 99_000}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	w.add("SYM0002", 5)
	if got, want := w.next(), (waitP99{0, 5}); got != want {
		t.Errorf("got %v, want %v: of what was added since", got, want)
	}
	if got, want := (waitP99{1, 4}).worse(waitP99{3, 2}), (waitP99{3, 4}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
