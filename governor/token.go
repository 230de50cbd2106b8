package governor

import "time"

// Token is a permit of a Limiter. Copies are the same permit. Success, Ignore
// and Dropped end it; ending it again, or the zero Token, does nothing.
type Token struct {
	slot       *slot
	generation uint64
}

// slot is the state of a permit. It is used again for later permits, each with
// a generation of its own, so that an old token cannot end a new permit.
//
// All but start is guarded by the limiter's mutex. Start is written by the
// goroutine that was given the permit, and read when it is ended by a valid
// token; that token comes from this goroutine.
type slot struct {
	limiter    *Limiter
	generation uint64
	started    bool
	inFlight   int           // at the start, itself included
	start      time.Duration // on the limiter's clock
	next       *slot         // free one
}

// Start says that the work of a reserved permit begins at a time, which a
// caller that has read the clock need not read again. For a permit in flight it
// only sets the clock anew.
func (t Token) Start(at time.Time) {
	if t.slot == nil {
		return
	}
	l := t.slot.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.slot.generation != t.generation {
		return
	}
	t.slot.start = at.Sub(l.epoch)
	l.begin(t.slot)
}

// Success ends work that succeeded, now.
func (t Token) Success() { t.endNow(Succeeded) }

// Ignore ends work whose RTT says nothing, or a reservation.
func (t Token) Ignore() { t.endNow(Ignored) }

// Dropped ends work that was given up because of the load, now.
func (t Token) Dropped() { t.endNow(Dropped) }

// End ends work with an outcome at a time. A reservation that was not started
// is always Ignored.
func (t Token) End(at time.Time, outcome Outcome) {
	if t.slot != nil {
		t.end(at.Sub(t.slot.limiter.epoch), outcome)
	}
}

func (t Token) endNow(outcome Outcome) {
	if t.slot != nil {
		t.end(t.slot.limiter.now(), outcome)
	}
}

func (t Token) end(at time.Duration, outcome Outcome) {
	l, s := t.slot.limiter, t.slot
	l.mu.Lock()
	defer l.unlock()
	if s.generation != t.generation {
		return
	}
	if !s.started || outcome > Dropped {
		outcome = Ignored
	}
	sample := Sample{At: at, RTT: at - s.start, InFlight: s.inFlight, Dropped: outcome == Dropped}
	// Given back first: should the algorithm panic in a user's function, the
	// permit is not lost. Waiters are served last, by the new limit.
	l.giveBack(s)
	defer l.serve()
	l.ended[outcome]++
	if outcome != Ignored {
		l.observe(sample)
	}
}
