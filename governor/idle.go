package governor

import "time"

// idlePeriod is the stretch with nothing in flight that makes one idle step.
// Where reads are the next step the consumer may well be idle because of the
// pace, from the end of one pass to the next. Two base periods hold a pass that
// found nothing.
func (r rule) idlePeriod(s ruleState) time.Duration {
	if s.divisor == r.base && r.extra() {
		return 2 * r.period
	}
	return max(1, r.period/5)
}

// idle takes one step back to the normal gear. The samples collected before it
// say nothing about what comes next.
func (r rule) idle(s ruleState, at time.Time) (ruleState, verdict) {
	s.samples, s.room = s.samples.empty(), 0
	if s.gear == r.normal() {
		return s, verdict{}
	}
	s, reason := r.shift(s, Idle, at)
	return s, verdict{reason: reason}
}

// idles reports whether an idle stretch would change anything.
func (r rule) idles(s ruleState) bool {
	return s.gear != r.normal() || s.samples.count > 0 || s.room > 0
}

// active returns how much is in flight. Stuck work does not count: it may never
// end.
func (g *Governor) active() int {
	if g.brake != nil {
		return g.inFlight - g.brake.stuck
	}
	return g.inFlight
}

// markIdle notes from when on nothing is in flight.
func (g *Governor) markIdle(now time.Time) {
	if g.active() > 0 {
		g.idle = false
	} else if !g.idle {
		g.idle, g.idleSince = true, now
	}
}

// advance counts beats, the latest at now, and takes the idle steps among them
// at the beat where each is due. So any number of beats in one call, and the
// same beats one by one, give the same reads.
func (g *Governor) advance(now time.Time, beats uint64, waiting int) (reads int) {
	left := beats
	g.idleSteps(now, func(due time.Time) {
		// Beats at or after the step are counted with the gear after it.
		after := uint64(now.Sub(due)/g.interval) + 1
		if left > after {
			reads += g.count(left-after, waiting)
			left = after
		}
	})
	return reads + g.count(left, waiting)
}

// count counts beats in the present gear.
func (g *Governor) count(beats uint64, waiting int) (reads int) {
	passes := int(g.phase.advance(beats, g.state.divisor))
	if passes == 0 {
		return 0
	}
	full := g.brake != nil && g.active() >= g.brake.flights.n
	g.state, reads = g.rule.pass(g.state, waiting, full)
	return passes * reads
}

// idleSteps takes every idle step that is due by now, calling before ahead of
// each. There are at most as many as the ladder has gears, and one more,
// however much time went by.
func (g *Governor) idleSteps(now time.Time, before func(due time.Time)) {
	if !g.idle {
		return
	}
	for g.rule.idles(g.state) {
		due := g.idleSince.Add(g.rule.idlePeriod(g.state))
		if due.After(now) {
			return
		}
		before(due)
		from := g.state.gear
		var v verdict
		g.state, v = g.rule.idle(g.state, due)
		g.report(due, from, v)
		g.idleSince = due
	}
}

// due tells what idleSteps would make of the gear, and when it would have left
// its present divisor, which is now if it would not. It changes nothing.
func (g *Governor) due(now time.Time) (to gear, left time.Time) {
	to, left = g.state.gear, now
	if !g.idle {
		return to, left
	}
	period := g.rule.idlePeriod(g.state)
	steps := int(max(0, now.Sub(g.idleSince)/period))
	if over := to.divisor - g.rule.base; over == 0 {
		to.reads -= min(steps, to.reads-g.rule.reads)
	} else if steps > 0 {
		to.divisor -= min(steps, over)
		left = g.idleSince.Add(period)
	}
	return to, left
}
