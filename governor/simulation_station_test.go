package governor

import "math"

// job is one entry being simulated. Times are seconds since the start.
type job struct {
	inserted float64 // into the cache
	work     float64 // seconds of service at full speed
	release  simRelease
	token    Work
	lost     bool // it is served, but never reported as done
	finish   float64
}

type simRelease struct {
	at     float64
	queued bool
}

// station is a consumer: servers that either work first in, first out, or share
// the processor. Every active job gets the same rate, so that a single virtual
// clock of service received per job is enough: a job finishes when the clock
// reads what it read at the job's start, plus its work.
type station struct {
	servers int
	sharing bool
	speed   float64
	clock   float64
	active  []*job // finish is a reading of clock
	queue   []*job
}

func (s *station) rate() float64 {
	if s.sharing && len(s.active) > s.servers {
		return s.speed * float64(s.servers) / float64(len(s.active))
	}
	return s.speed
}

// elapse serves the active jobs for so many seconds.
func (s *station) elapse(seconds float64) { s.clock += seconds * s.rate() }

// untilDone returns the time until the next job is finished, and the job.
func (s *station) untilDone() (float64, int) {
	next := -1
	for i, j := range s.active {
		if next < 0 || j.finish < s.active[next].finish {
			next = i
		}
	}
	if next < 0 || s.speed == 0 {
		return math.Inf(1), -1
	}
	return max(0, (s.active[next].finish-s.clock)/s.rate()), next
}

func (s *station) add(j *job) {
	if !s.sharing && len(s.active) == s.servers {
		s.queue = append(s.queue, j)
		return
	}
	j.finish = s.clock + j.work
	s.active = append(s.active, j)
}

func (s *station) remove(i int) *job {
	j := s.active[i]
	s.active = append(s.active[:i], s.active[i+1:]...)
	if len(s.queue) > 0 {
		first := s.queue[0]
		s.queue = s.queue[1:]
		s.add(first)
	}
	return j
}

func (s *station) open() int { return len(s.active) + len(s.queue) }
