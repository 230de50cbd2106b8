package main

import "time"

// phase is a part of the run, from its first moment to just before its last.
type phase struct {
	from, to time.Time
	every    time.Duration // begins again each time this has passed; 0 for never
}

// round is the length that a run without an end is divided into.
const round = 15 * time.Second

// middleThird returns the middle third of what begins at start. Without a length
// it is the middle third of each round.
func middleThird(start time.Time, length time.Duration) phase {
	if length == 0 {
		return phase{start.Add(round / 3), start.Add(2 * round / 3), round}
	}
	return phase{start.Add(length / 3), start.Add(2 * length / 3), 0}
}

func (p phase) contains(t time.Time) bool {
	if p.every > 0 && t.After(p.from) {
		t = p.from.Add(t.Sub(p.from) % p.every)
	}
	return !t.Before(p.from) && t.Before(p.to)
}
