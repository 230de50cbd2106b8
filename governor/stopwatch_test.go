package governor

import "testing"

func TestStopwatch(t *testing.T) {
	var w stopwatch
	w.stop(at(1)) // not running: no effect
	w.start(at(2))
	w.start(at(3)) // running: no effect
	if got := w.total(at(5)); got != 3*ms {
		t.Errorf("running: %v, want 3ms", got)
	}
	w.stop(at(6))
	w.stop(at(9))
	if got := w.total(at(10)); got != 4*ms {
		t.Errorf("stopped: %v, want 4ms", got)
	}
	w.start(at(20))
	if got := w.total(at(21)); got != 5*ms {
		t.Errorf("running again: %v, want 5ms", got)
	}
}
