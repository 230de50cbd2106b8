package governor

import "time"

// finish runs the rule on a sample. It is called before the brake hears of the
// end, so that the decision shows the brake as the entry left it.
func (g *Governor) finish(e finish) {
	from := g.state.gear
	var v verdict
	g.state, v = g.rule.finish(g.state, e)
	g.report(e.done, from, v)
}

// report records a verdict. Of those that change nothing it keeps the first of
// each run of the same reason.
func (g *Governor) report(at time.Time, from gear, v verdict) {
	to := g.state.gear
	if to.divisor == g.rule.max {
		g.atMax.start(at)
	} else {
		g.atMax.stop(at)
	}
	if v.reason == 0 || from == to && v.reason == g.last && v.reason != Probe {
		return
	}
	g.last = v.reason
	d := Decision{
		Time: at, From: from.divisor, To: to.divisor, ReadsFrom: from.reads, ReadsTo: to.reads,
		Reason: v.reason, Signal: v.signal, High: g.rule.high, Low: g.rule.low,
		Samples: v.count, Queued: v.queued,
		Braked: g.brake != nil && g.brake.on(at),
	}
	g.history.add(d)
	g.reporter.add(d)
}

func (g *Governor) unlock() { g.reporter.unlock(&g.mu) }
