package governor

import "time"

// gear is a position on the ladder. At its top are many reads a pass at the
// smallest divisor; reads go first, then the divisor rises to the largest.
type gear struct {
	divisor int // beats per pass
	reads   int // reads per pass; more than normal only at the smallest divisor
}

// normal is the gear to start with, and the one that an idle stretch leads to.
func (r rule) normal() gear { return gear{r.base, r.reads} }

// extra reports whether there are gears above the normal one.
func (r rule) extra() bool { return r.maxReads > r.reads }

// shift moves the gear as the reason says, within the bounds of the ladder.
func (r rule) shift(s ruleState, reason Reason, at time.Time) (ruleState, Reason) {
	from := s.gear
	switch reason {
	case Slower:
		s.divisor, reason = up(s.divisor, r.max, reason, AtMax)
	case Faster:
		s.divisor, reason = down(s.divisor, r.base, reason, AtBase)
	case MoreReads:
		s.reads, reason = up(s.reads, r.maxReads, reason, AtMaxReads)
	case FewerReads:
		s.reads--
	case Idle:
		s.gear = r.towardsNormal(s.gear)
	}
	if s.gear != from {
		s.changed, s.room = at, 0
	}
	return s, reason
}

func up(n, most int, reason, stopped Reason) (int, Reason) {
	if n >= most {
		return n, stopped
	}
	return n + 1, reason
}

func down(n, least int, reason, stopped Reason) (int, Reason) {
	if n <= least {
		return n, stopped
	}
	return n - 1, reason
}

func (r rule) towardsNormal(g gear) gear {
	if g.divisor > r.base {
		g.divisor--
	} else if g.reads > r.reads {
		g.reads--
	}
	return g
}
