package governor

import "time"

// Multiples of High after which the brake stops trusting what it sees, and how
// far the wait between two probes of one stretch may grow.
const (
	stuckHighs  = 30
	probeHighs  = 10
	probeGrowth = 16
)

// brake holds passes back while an asynchronous consumer does not keep up.
// The +-1 steps are too slow for that: without a brake the consumer's queue
// grows during the whole climb.
//
// It is on while the parallel-th oldest entry in flight is older than after. It
// knows no clock and no lock.
type brake struct {
	after      time.Duration
	stuckAfter time.Duration
	probeAfter time.Duration

	flights  flights
	newest   uint64 // highest sequence that has ended: all before it are overtaken
	stuck    int    // given up, not ended
	owed     int    // entries of the one pass that waits for the brake
	held     stopwatch
	probed   time.Time     // start of the wait for the next probe
	patience time.Duration // length of that wait
}

func newBrake(interval time.Duration, o Options) *brake {
	return &brake{
		after:      o.Brake,
		stuckAfter: stuckHighs * o.High,
		probeAfter: max(time.Duration(o.Max)*interval, probeHighs*o.High),
		flights:    flights{n: o.Parallel},
	}
}

// on brings the brake up to date and reports whether it holds.
func (b *brake) on(now time.Time) bool {
	b.giveUp(now)
	f := b.flights.nth
	if f == nil || now.Sub(f.started) <= b.after {
		b.held.stop(now)
		return false
	}
	if !b.held.running {
		// It went on between two calls. The entry was the parallel-th oldest
		// already at the last one, else the brake would have been on there.
		b.held.start(f.started.Add(b.after))
		b.probed, b.patience = b.held.since, b.probeAfter
	}
	return true
}

// giveUp lets go of work that is both old and overtaken: it is lost, not slow.
// Age and sequence rise together, so that such work is at the front.
func (b *brake) giveUp(now time.Time) {
	for f := b.flights.front; f != nil && f.sequence < b.newest && now.Sub(f.started) > b.stuckAfter; f = b.flights.front {
		b.flights.remove(f)
		f.stuck = true
		b.stuck++
	}
}

// pass takes the reads of a beat, of which one pass makes most at most, and
// returns those to let through. It is asked at every beat, since the brake can
// come off with time alone.
func (b *brake) pass(now time.Time, reads, most int) (through int, probe bool) {
	if !b.on(now) {
		return reads + b.payOwed(), false
	}
	b.owed = min(max(b.owed, reads), most)
	if b.owed == 0 || now.Sub(b.probed) < b.patience {
		return 0, false
	}
	// A consumer that lost all it was given shows no sign of life until it is
	// given something: one entry is enough. Waits double, so that a stall of
	// seconds is not fed.
	b.probed, b.patience = now, min(2*b.patience, probeGrowth*b.probeAfter)
	b.owed = 0
	return 1, true
}

func (b *brake) start(now time.Time) *flight {
	b.on(now)
	return b.flights.push(now)
}

// done ends a flight and returns the owed reads if that takes the brake off.
func (b *brake) done(now time.Time, f *flight) int {
	b.on(now) // the stretch up to now counts, even if this ends it
	b.newest = max(b.newest, f.sequence)
	if f.stuck {
		b.stuck--
	} else {
		b.flights.remove(f)
	}
	if b.on(now) {
		return 0
	}
	return b.payOwed()
}

func (b *brake) payOwed() (reads int) {
	reads, b.owed = b.owed, 0
	return reads
}
