package governor

import "time"

// Eager is to be called when an entry arrives and nothing else waits. It
// returns how many entries may be read at once, which are the reads of a pass,
// or 0 if the entry has to wait for a beat.
//
// It is 0 unless Options.Eager is set, nothing (but stuck work) is in flight,
// and a governed period, Interval times the divisor, has passed since the last
// Start. Otherwise it stands for the pass that it does not wait for: the next
// one comes as many beats later as the divisor says, so that eager reads are no
// more frequent than others. The Release of such a read has Beat false.
//
// Beats that went by unseen are to be told to Sleep before.
func (g *Governor) Eager(now time.Time) (reads int) {
	g.mu.Lock()
	defer g.unlock()
	if !g.eager {
		return 0
	}
	g.idleSteps(now, func(time.Time) {})
	if g.brake != nil {
		g.brake.on(now) // stuck work is found when the brake is asked
	}
	if g.active() > 0 || now.Sub(g.lastRead) < g.interval*time.Duration(g.state.divisor) {
		return 0
	}
	g.phase, g.lastRead = 0, now
	return g.state.reads
}
