package governor

import "time"

// rule is the control law: a pure function from a state and an event to the
// next state and a verdict. It knows no clock, lock or callback.
type rule struct {
	asynchronous bool
	base, max    int
	window       int
	high, low    time.Duration
}

// ruleState is all that the rule remembers.
type ruleState struct {
	divisor int
	changed time.Time // last change of the divisor
	samples samples
}

// finish is the event that an entry released by a beat has been processed.
type finish struct {
	released, done time.Time
	queued         bool
}

// verdict is a reason and the samples behind it. The zero verdict means that
// nothing was decided.
type verdict struct {
	reason  Reason
	samples samples
}

// finish adds a sample and decides once the window is full.
func (r rule) finish(s ruleState, e finish) (ruleState, verdict) {
	// One change must be felt before the next: what was released before it
	// measures the divisor of then.
	if e.released.Before(s.changed) {
		return s, verdict{}
	}
	s.samples = s.samples.add(e.done.Sub(e.released), e.queued)
	if s.samples.count < r.window {
		return s, verdict{}
	}
	v := verdict{r.judge(s.samples), s.samples}
	s.samples = samples{}
	s, v.reason = r.apply(s, v.reason, e.done)
	return s, v
}

// idle takes one step back after a stretch with nothing in flight. The samples
// collected before it say nothing about what comes next.
func (r rule) idle(s ruleState, at time.Time) (ruleState, verdict) {
	s.samples = samples{}
	if s.divisor <= r.base {
		return s, verdict{}
	}
	s, reason := r.apply(s, Idle, at)
	return s, verdict{reason: reason}
}

// idles reports whether an idle stretch would change anything.
func (r rule) idles(s ruleState) bool { return s.divisor > r.base || s.samples.count > 0 }

// judge reads a full window.
func (r rule) judge(s samples) Reason {
	high := s.signal() > r.high
	if high && s.mostQueued() {
		return Slower
	}
	if !r.asynchronous {
		// A worker was free each time: the consumer could do more.
		if s.noneQueued() {
			return Faster
		}
		return Hold
	}
	if high {
		return NoQueue
	}
	// Between Low and High too, a consumer that queues nothing could do more:
	// without this the excess of a climb would stay as long as work is in flight.
	if s.signal() < r.low || s.noneQueued() {
		return Faster
	}
	return Hold
}

// apply moves the divisor as the reason says, within its bounds.
func (r rule) apply(s ruleState, reason Reason, at time.Time) (ruleState, Reason) {
	switch reason {
	case Slower:
		if s.divisor >= r.max {
			return s, AtMax
		}
		s.divisor++
	case Faster, Idle:
		if s.divisor <= r.base {
			return s, AtBase
		}
		s.divisor--
	default:
		return s, reason
	}
	s.changed = at
	return s, reason
}
