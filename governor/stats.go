package governor

import "time"

// Stats is one consistent reading of a Governor.
type Stats struct {
	Divisor  int           // beats per pass
	Reads    int           // reads per pass
	InFlight int           // leases open, stuck ones included
	Stuck    int           // leases that the brake has given up on
	Braked   bool          // passes are being held back
	Owed     bool          // one pass waits for the brake
	AtMax    time.Duration // time spent at the largest divisor so far
	Braking  time.Duration // time during which the brake held so far
}

// Stats returns a reading as of now. The idle steps that are due by then are in
// it, even if no beat has taken them yet since the metronome sleeps.
func (g *Governor) Stats(now time.Time) Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	gear, left := g.due(now)
	s := Stats{
		Divisor:  gear.divisor,
		Reads:    gear.reads,
		InFlight: g.inFlight,
		AtMax:    g.atMax.total(left),
	}
	if g.brake != nil {
		s.Braked = g.brake.on(now)
		s.Stuck = g.brake.stuck
		s.Owed = g.brake.owed > 0
		s.Braking = g.brake.held.total(now)
	}
	return s
}
