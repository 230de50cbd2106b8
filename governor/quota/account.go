package quota

import (
	"sync"
	"sync/atomic"
	"time"
)

// account is what one entity has used of one kind of quota, and its mute
// deadline. All gates whose identity resolves to the same key share it.
type account struct {
	kind    kind
	key     Entity // see rules.resolve; zero for the one that newcomers share
	other   bool   // shared by those that MaxEntities leaves no room for
	options *Options

	// tight means that gates must look closer: the last charge left the account
	// over its limit. It is written under mu, and read without by gates that
	// have no other reason to lock or to read a clock.
	tight atomic.Bool

	mu      sync.Mutex
	limit   limit
	expired bool // no longer in the map: a gate that holds it must resolve again
	active  time.Duration
	window  window
	bucket  bucket

	muteUntil time.Duration
	line      line

	tally tally
}

func newAccount(k kind, key Entity, o *Options) *account {
	return &account{
		kind: k, key: key, options: o,
		window: window{samples: o.Samples, size: o.Window, floor: o.Samples == 1},
	}
}

// outcome is what a charge did.
type outcome struct {
	delay   time.Duration
	expired bool // nothing: the account is no longer in use
	report  bool // it is time to report the entity
}

// charge records v at t and decides. What has been done always counts, also above
// the limit. With a delay for bytes t is later than now. The bucket goes by now: it
// must not be filled by time that is still to come, for others who share it.
func (a *account) charge(g *Gate, now, t time.Duration, v int64) (out outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.expired {
		return outcome{expired: true}
	}
	a.active = max(a.active, now)
	a.window.record(t, v)
	a.bucket.charge(now, a.limit.rate, v)
	r := a.window.read(t)
	out.delay = r.excess(a.limit.rate, a.longest())
	out.report = a.tally.charge(t, v, out.delay)
	if a.options.Observe {
		return out
	}
	a.muteUntil = max(a.muteUntil, later(t, out.delay))
	owes := r.over(a.limit.rate) || a.bucket.debt(a.limit.rate, a.hold(), a.options.Window) > 0
	a.setTight(owes || now < a.muteUntil)
	a.line.endTurn(g)
	return out
}

// longest returns the longest delay of one charge.
func (a *account) longest() time.Duration {
	if a.kind == requestTime {
		return min(a.options.Window, a.options.MaxDelay)
	}
	return a.options.MaxDelay
}

// hold is the time whose worth of the limit may be used at once.
func (a *account) hold() time.Duration {
	return time.Duration(a.options.Samples) * a.options.Window
}

// setTight ends the turn when there is room, and wakes the head of the line. Those
// in the line come through in short turns, and those that come now at once.
func (a *account) setTight(tight bool) {
	if a.tight.Swap(tight) && !tight {
		a.line.endTurn(a.line.turn)
	}
}

// owes reports whether forgetting the account now would let its entity off
// something, or leave a gate alone.
func (a *account) owes(t time.Duration) bool {
	return len(a.line.gates) > 0 || a.line.turnOut(t) || t < a.muteUntil || a.recovery(t) > 0
}

// later is t+d without overflow.
func later(t, d time.Duration) time.Duration { return time.Duration(add(int64(t), int64(d))) }
