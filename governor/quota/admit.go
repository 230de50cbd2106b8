package quota

import "time"

// shortestWait keeps rounding from turning a wait into a busy loop.
const shortestWait = time.Millisecond

// blocks returns how long g must wait before it asks again, and 0 if the
// account lets it through. No wait is longer than a window. a.mu is held.
//
// A gate comes through a tight account only when the mute deadline has passed
// and the rate is within the limit at that moment, and then only one: the others
// wait for its charge. If all came through at once, each would use what is
// there for one.
func (a *account) blocks(g *Gate, t time.Duration) time.Duration {
	if !a.tight.Load() {
		return 0
	}
	if wait := max(a.muteUntil-t, a.recovery(t)); wait > 0 {
		return min(max(wait, shortestWait), a.options.Window)
	}
	if a.bucket.missing == 0 {
		// Nothing has been used for a whole window: there is room for everybody.
		a.setTight(false)
		return 0
	}
	return a.line.blocks(g, t, a.options.Window)
}

// recovery returns how long it takes, without further charges, until the account
// is within its limit and owes nothing. It is 0 if that is so now, and at most a
// window.
func (a *account) recovery(t time.Duration) time.Duration {
	rate, most := a.limit.rate, a.options.Window
	a.bucket.fill(t, rate)
	wait := a.bucket.debt(rate, a.hold(), most)
	r := a.window.read(t)
	if !r.over(rate) {
		return wait
	}
	left := clamp(float64(r.sum)/rate*float64(time.Second)-float64(a.elapsed(t, r)), most)
	return max(wait, a.window.nextPurge(t, max(left, shortestWait)))
}

// elapsed is the span of r without the floor, which does not grow with time.
func (a *account) elapsed(t time.Duration, r reading) time.Duration {
	if !a.window.floor {
		return r.span
	}
	oldest := t
	for _, s := range a.window.ring {
		oldest = min(oldest, s.start)
	}
	return t - oldest
}

// admit notes that g comes through. a.mu is held.
func (a *account) admit(g *Gate, t time.Duration) {
	if a.tight.Load() {
		a.line.takeTurn(g, t+a.options.Window)
	}
}
