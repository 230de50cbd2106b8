package load

import "time"

// slowness is by how much the consumer gets slower.
const slowness = 6

// station is an asynchronous consumer: servers that work first in, first out,
// and take six times as long for what they begin in the slow stretch. When an
// entry will be done is known when it is handed over, so a late timer delays
// that entry and no other. It is for one goroutine.
type station struct {
	service          time.Duration
	slowFrom, slowTo time.Time
	end              time.Time   // what comes later is not measured, and done at once
	busy             []time.Time // until when each server is
}

// hand returns when an entry that is handed over now will be done.
func (s *station) hand(now time.Time) time.Time {
	if now.After(s.end) {
		return now
	}
	first := 0
	for i, until := range s.busy {
		if until.Before(s.busy[first]) {
			first = i
		}
	}
	begin := now
	if s.busy[first].After(now) {
		begin = s.busy[first]
	}
	service := s.service
	if !begin.Before(s.slowFrom) && begin.Before(s.slowTo) {
		service *= slowness
	}
	s.busy[first] = begin.Add(service)
	return s.busy[first]
}
