package sim

import (
	"math"
	"slices"

	"github.com/headrace/headrace/governor"
)

// job is an entry in the hands of the consumer.
type job struct {
	work     float64 // seconds of service at full speed
	released float64 // when
	token    governor.Work
	lost     bool    // it is never reported as done
	finish   float64 // reading of station.served at which it is done
}

// station is a consumer of so many servers: first in first out, or sharing the
// processor. All active jobs get the same rate, so one clock of the service
// received tells when each of them is done.
type station struct {
	servers int
	sharing bool
	speed   float64
	served  float64
	active  []*job
	queue   []*job
}

func (s *station) open() int { return len(s.active) + len(s.queue) }

func (s *station) rate() float64 {
	if s.sharing && len(s.active) > s.servers {
		return s.speed * float64(s.servers) / float64(len(s.active))
	}
	return s.speed
}

func (s *station) elapse(seconds float64) { s.served += seconds * s.rate() }

// next returns the seconds until a job is done, and its index.
func (s *station) next() (float64, int) {
	first := -1
	for i, j := range s.active {
		if first < 0 || j.finish < s.active[first].finish {
			first = i
		}
	}
	if first < 0 || s.speed == 0 {
		return math.Inf(1), -1
	}
	return max(0, (s.active[first].finish-s.served)/s.rate()), first
}

func (s *station) add(j *job) {
	if !s.sharing && len(s.active) == s.servers {
		s.queue = append(s.queue, j)
		return
	}
	j.finish = s.served + j.work
	s.active = append(s.active, j)
}

func (s *station) remove(i int) *job {
	j := s.active[i]
	s.active = slices.Delete(s.active, i, i+1)
	if len(s.queue) > 0 {
		first := s.queue[0]
		s.queue = s.queue[1:]
		s.add(first)
	}
	return j
}
