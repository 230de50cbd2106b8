package governor

import "time"

// finish runs the rule on a sample. It is called before the brake hears of the
// end, so that the decision shows the brake as the entry left it.
func (g *Governor) finish(e finish) {
	from := g.state.divisor
	var v verdict
	g.state, v = g.rule.finish(g.state, e)
	g.report(e.done, from, v)
}

// report records a verdict. Of those that change nothing it keeps the first of
// each run of the same reason.
func (g *Governor) report(at time.Time, from int, v verdict) {
	to := g.state.divisor
	if to == g.rule.max {
		g.atMax.start(at)
	} else {
		g.atMax.stop(at)
	}
	if v.reason == 0 || from == to && v.reason == g.last && v.reason != Probe {
		return
	}
	g.last = v.reason
	d := Decision{
		Time: at, From: from, To: to, Reason: v.reason,
		High: g.rule.high, Low: g.rule.low,
		Samples: v.samples.count, Queued: v.samples.queued,
		Braked: g.brake != nil && g.brake.on(at),
	}
	if d.Samples > 0 {
		d.Signal = v.samples.signal()
	}
	g.history.add(d)
	g.reporter.add(d)
}

func (g *Governor) unlock() { g.reporter.unlock(&g.mu) }
