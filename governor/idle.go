package governor

import "time"

// markIdle notes from when on nothing is in flight. Stuck work does not count:
// it may never end.
func (g *Governor) markIdle(now time.Time) {
	active := g.inFlight
	if g.brake != nil {
		active -= g.brake.stuck
	}
	if active > 0 {
		g.idle = false
	} else if !g.idle {
		g.idle, g.idleSince = true, now
	}
}

// advance counts beats, the latest at now, and takes the idle steps among them
// at the beat where each is due. So any number of beats in one call, and the
// same beats one by one, give the same passes.
func (g *Governor) advance(now time.Time, beats uint64) (passes uint64) {
	left := beats
	g.idleSteps(now, func(due time.Time) {
		// Beats at or after the step are counted with the divisor after it.
		after := uint64(now.Sub(due)/g.interval) + 1
		if left > after {
			passes += g.phase.advance(left-after, g.state.divisor)
			left = after
		}
	})
	return passes + g.phase.advance(left, g.state.divisor)
}

// idleSteps takes every idle step that is due by now, calling before ahead of
// each. There are at most Max-Base+1 of them, however much time went by.
func (g *Governor) idleSteps(now time.Time, before func(due time.Time)) {
	if !g.idle {
		return
	}
	for g.rule.idles(g.state) {
		due := g.idleSince.Add(g.idlePeriod)
		if due.After(now) {
			return
		}
		before(due)
		from := g.state.divisor
		var v verdict
		g.state, v = g.rule.idle(g.state, due)
		g.report(due, from, v)
		g.idleSince = due
	}
}

// due tells what idleSteps would make of the divisor, and when it would have
// left its present value, which is now if it would not. It changes nothing.
func (g *Governor) due(now time.Time) (divisor int, left time.Time) {
	divisor, left = g.state.divisor, now
	if !g.idle || divisor <= g.rule.base {
		return divisor, left
	}
	if first := g.idleSince.Add(g.idlePeriod); !first.After(now) {
		steps := now.Sub(g.idleSince) / g.idlePeriod
		divisor -= int(min(steps, time.Duration(divisor-g.rule.base)))
		left = first
	}
	return divisor, left
}
