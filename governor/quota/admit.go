package quota

import "time"

// shortestWait keeps rounding from turning a wait into a busy loop.
const shortestWait = time.Millisecond

// spread is the part of a window that a turn lasts at most once there is room: those
// that have waited come through one after the other. If they came at once, they would
// get into each other's way in whatever they share, and the time that they wait
// there would be charged to them. Longer turns would leave the quota unused.
const spread = 20

// blocks returns how long g must wait before it asks again, and 0 if the
// account lets it through. No wait is longer than a window. a.mu is held.
//
// A gate comes through a tight account only when the mute deadline has passed
// and the rate is within the limit at that moment, and then only one: the others
// wait for its charge. If all came through at once, each would use what is
// there for one.
func (a *account) blocks(g *Gate, t time.Duration) time.Duration {
	if !a.limited() {
		a.setTight(false)
		return 0
	}
	if a.tight.Load() {
		if wait := max(a.muteUntil-t, a.recovery(t)); wait > 0 {
			return min(max(wait, shortestWait), a.options.Window)
		}
		// Nothing has been used for a whole window: there is room for everybody.
		a.setTight(a.bucket.missing > 0)
	}
	if !a.tight.Load() && g.standing != a {
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

// admit notes that g comes through, and whether it stood in the line. a.mu is held.
func (a *account) admit(g *Gate, t time.Duration, stood bool) {
	switch {
	case a.tight.Load():
		a.line.takeTurn(g, t+a.options.Window)
	case stood:
		a.line.takeTurn(g, t+a.options.Window/spread)
	}
}
