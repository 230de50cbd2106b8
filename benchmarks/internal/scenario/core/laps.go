package core

import "time"

// laps are the times between readings of the clock, one for each operation. The
// reading is the stamp of the next operation as well.
type laps struct {
	first, last time.Time
	slowest     time.Duration
}

func start() laps {
	now := time.Now()
	return laps{first: now, last: now}
}

func (l *laps) next() {
	now := time.Now()
	l.slowest = max(l.slowest, now.Sub(l.last))
	l.last = now
}

// mean returns the nanoseconds of one of n operations.
func (l *laps) mean(n int) float64 { return float64(l.last.Sub(l.first)) / float64(n) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
