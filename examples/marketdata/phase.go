package main

import "time"

// phase is a part of the run, from its first moment to just before its last.
type phase struct{ from, to time.Time }

// middleThird returns the middle third of what begins at start.
func middleThird(start time.Time, length time.Duration) phase {
	return phase{start.Add(length / 3), start.Add(2 * length / 3)}
}

func (p phase) contains(t time.Time) bool { return !t.Before(p.from) && t.Before(p.to) }
