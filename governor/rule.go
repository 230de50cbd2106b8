package governor

import "time"

// rule is the control law: a pure function from a state and an event to the
// next state and a verdict. It knows no clock, lock or callback.
type rule struct {
	asynchronous    bool
	base, max       int
	reads, maxReads int
	window          int
	signal          Signal
	high, low       time.Duration
	period          time.Duration // of the passes at base
}

// ruleState is all that the rule remembers.
type ruleState struct {
	gear
	changed time.Time // last change of the gear
	samples samples
	backlog bool // the last pass found more entries than it reads, and a free place
	room    int  // samples of low windows in a row while there was a backlog, up to reads
}

// finish is the event that an entry released by a beat has been processed.
type finish struct {
	released, done time.Time
	queued         bool
}

// verdict is a reason and the samples behind it. The zero verdict means that
// nothing was decided.
type verdict struct {
	reason Reason
	signal time.Duration
	count  int // of samples
	queued int
}

// finish adds a sample and decides once the window is full.
func (r rule) finish(s ruleState, e finish) (ruleState, verdict) {
	// One change must be felt before the next: what was released before it
	// measures the gear of then.
	if e.released.Before(s.changed) {
		return s, verdict{}
	}
	s.samples = s.samples.add(e.done.Sub(e.released), e.queued)
	if s.samples.count < r.window {
		return s, verdict{}
	}
	v := verdict{signal: s.samples.signal(r.signal), count: s.samples.count, queued: s.samples.queued}
	s = r.measureRoom(s, v.signal)
	reason := r.judge(s, v.signal)
	s.samples = s.samples.empty()
	s, v.reason = r.shift(s, reason, e.done)
	return s, v
}

// measureRoom counts how many samples in a row speak for one more read. There
// must be one for each read of a pass, since the first entries of a pass tell
// nothing of how the last ones fare.
func (r rule) measureRoom(s ruleState, signal time.Duration) ruleState {
	if s.backlog && r.extra() && s.divisor == r.base && r.isLow(s.samples, signal) {
		s.room = min(s.room+s.samples.count, s.reads)
	} else {
		s.room = 0
	}
	return s
}

// isLow reports whether the latency leaves room for more than the normal reads.
func (r rule) isLow(s samples, signal time.Duration) bool {
	if r.asynchronous {
		return signal < r.low
	}
	return signal <= r.high && s.noneQueued()
}

// judge reads a full window.
func (r rule) judge(s ruleState, signal time.Duration) Reason {
	high := signal > r.high
	switch {
	case high && s.reads > r.reads:
		return FewerReads // with or without a queue: they were for a low latency
	case high && s.samples.mostQueued():
		return Slower
	case s.room > 0 && s.room >= s.reads:
		return MoreReads
	case !r.asynchronous:
		// A worker was free each time: the consumer could do more.
		if s.samples.noneQueued() {
			return Faster
		}
		return Hold
	case high:
		return NoQueue
	// Between Low and High too, a consumer that queues nothing could do more:
	// without this the excess of a climb would stay as long as work is in flight.
	case signal < r.low || s.samples.noneQueued():
		return Faster
	}
	return Hold
}

// pass is the event of a passing beat that found so many entries to read. It
// returns how many it reads.
//
// full says that an asynchronous consumer has as much in flight as it works on
// at once, so that what it is given now queues. The extra reads are not for that
// one: without this the consumer is kept so busy that its queue, at the first
// hesitation, is long. (Simulated with MaxReads 8 and up to 4 at once: p99 is up
// to 12 High after the step, instead of 5, and a stall is handed up to 66
// entries, instead of 13.)
func (r rule) pass(s ruleState, waiting int, full bool) (ruleState, int) {
	s.backlog = !full && waiting > s.reads
	if !s.backlog {
		s.room = 0
	}
	if full {
		return s, r.reads
	}
	return s, s.reads
}
