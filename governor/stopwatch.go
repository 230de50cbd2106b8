package governor

import "time"

// stopwatch adds up the stretches during which something held.
type stopwatch struct {
	running bool
	since   time.Time // start of the open stretch
	sum     time.Duration
}

func (w *stopwatch) start(at time.Time) {
	if !w.running {
		w.running, w.since = true, at
	}
}

func (w *stopwatch) stop(at time.Time) {
	if w.running {
		w.running, w.sum = false, w.sum+at.Sub(w.since)
	}
}

// total includes the open stretch.
func (w *stopwatch) total(now time.Time) time.Duration {
	if !w.running {
		return w.sum
	}
	return w.sum + now.Sub(w.since)
}
