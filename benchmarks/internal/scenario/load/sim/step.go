package sim

import (
	"math"
	"slices"
)

// The consumer takes six times as long from slowFrom to slowTo.
const (
	slowFrom, slowTo, stepEnd = 5.0, 25.0, 35.0
	slowness                  = 6
)

// Step is what came of a consumer that was six times slower for 20 s.
type Step struct {
	Rate    float64 // entries a second while slow
	P99     float64 // of the latency while slow, in High
	Back    float64 // seconds from the recovery until the divisor is Base
	Lowest  int     // divisor in the last 10 slow seconds
	Highest int
}

func sixfold() []change { return []change{{slowFrom, 1.0 / slowness}, {slowTo, 1}} }

// Governed paces the step by a governor.
func (c Consumer) Governed() (Step, error) {
	g, err := c.governor()
	if err != nil {
		return Step{}, err
	}
	w := c.world(g)
	w.changes, w.end = sixfold(), stepEnd
	s := Step{Lowest: math.MaxInt, Back: stepEnd - slowTo}
	back := false
	w.onBeat = func(now float64) {
		d := g.Divisor()
		switch {
		case now >= (slowFrom+slowTo)/2 && now < slowTo:
			s.Lowest, s.Highest = min(s.Lowest, d), max(s.Highest, d)
		case now >= slowTo && d == Base && !back:
			back, s.Back = true, now-slowTo
		}
	}
	w.run()
	s.Rate, s.P99 = c.slowStretch(w)
	return s, nil
}

// Fixed paces the step by a divisor that stays.
func (c Consumer) Fixed(divisor int) Step {
	w := c.world(fixed{})
	w.beat, w.changes, w.end = float64(divisor)*millisecond, sixfold(), slowTo
	w.run()
	s := Step{Lowest: divisor, Highest: divisor}
	s.Rate, s.P99 = c.slowStretch(w)
	return s
}

// BestFixed returns the fixed divisor with the highest rate at a p99 that is
// not above the one given. It reports false if none has that.
func (c Consumer) BestFixed(p99 float64) (best Step, ok bool) {
	// A smaller one lets the backlog grow all the time.
	for d := max(Base, int(0.75*c.Ideal())); d <= 10*Base; d++ {
		if s := c.Fixed(d); s.P99 <= p99 && s.Rate > best.Rate {
			best, ok = s, true
		}
	}
	return best, ok
}

// Free lets pulling workers run without a pace.
func (c Consumer) Free() Step {
	w := c.world(free{})
	w.changes, w.end, w.credit = sixfold(), slowTo, c.Servers
	w.run()
	var s Step
	s.Rate, s.P99 = c.slowStretch(w)
	return s
}

// slowStretch returns the rate, and the p99 in High, of what was done while the
// consumer was slow.
func (c Consumer) slowStretch(w *world) (rate, p99 float64) {
	var latencies []float64
	for _, d := range w.done {
		if d.at >= slowFrom && d.at < slowTo {
			latencies = append(latencies, d.latency)
		}
	}
	if len(latencies) == 0 {
		return 0, math.Inf(1)
	}
	slices.Sort(latencies)
	rank := (len(latencies)*99 - 1) / 100
	return float64(len(latencies)) / (slowTo - slowFrom), latencies[rank] / c.high()
}
