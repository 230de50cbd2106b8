package governor

import (
	"sync"
	"time"
)

// Governor decides which beats of a metronome pass, and how many entries each
// of these reads, from the latency of the consumer that they feed.
//
// It has no clock: every method is told the time, which must not run backwards.
// It is safe for concurrent use, never blocks and starts no goroutine.
type Governor struct {
	interval time.Duration
	eager    bool
	rule     rule

	mu        sync.Mutex
	state     ruleState
	phase     phase
	inFlight  int
	idle      bool      // nothing (but stuck work) is in flight
	idleSince time.Time // start of that, or the last step since
	lastRead  time.Time // zero before the first
	brake     *brake    // nil for a pulling consumer
	atMax     stopwatch
	history   history
	last      Reason // of the decision reported last
	reporter  reporter
}

// New returns a Governor for a metronome of the given interval.
//
// A pulling consumer (asynchronous false) takes an entry when a worker is free,
// so that its queue is the cache. An asynchronous consumer takes whatever it is
// handed and finishes it later, so that it may queue on its own; it gets a
// brake, and Options.Parallel must be stated.
//
// Errors wrap ErrOptions.
func New(interval time.Duration, asynchronous bool, o Options) (*Governor, error) {
	o = o.withDefaults()
	if err := o.check(interval, asynchronous); err != nil {
		return nil, err
	}
	g := &Governor{
		interval: interval,
		eager:    o.Eager,
		rule: rule{
			asynchronous: asynchronous,
			base:         o.Base, max: o.Max,
			reads: o.Reads, maxReads: o.MaxReads,
			window: o.Window, signal: o.Signal,
			high: o.High, low: o.Low,
			period: interval * time.Duration(o.Base),
		},
		history:  newHistory(o.History),
		reporter: reporter{callback: o.OnDecision},
	}
	g.state = ruleState{gear: g.rule.normal(), samples: newSamples(o.Window, o.Signal)}
	if asynchronous {
		g.brake = newBrake(interval, o)
	}
	return g, nil
}

// Beat counts the beats since the last call, of which the latest is at now, and
// returns how many entries they let through: for each pass, of which there is
// more than one only after missed beats, as many as Reads says. They are the
// credit until the next pass, and replace what is left of the one before.
//
// waiting is the number of entries that could be read now; without
// Options.MaxReads it changes nothing. The brake holds at the time of the call:
// ask Braked before an entry that is handed out later.
func (g *Governor) Beat(now time.Time, beats uint64, waiting int) (reads int) {
	g.mu.Lock()
	defer g.unlock()
	reads = g.advance(now, beats, waiting)
	if g.brake == nil {
		return reads
	}
	reads, probe := g.brake.pass(now, reads, g.state.reads)
	if probe {
		g.report(now, g.state.gear, verdict{reason: Probe})
	}
	g.markIdle(now)
	return reads
}

// Sleep counts beats that went by unseen, the latest at now, because nothing
// waited and nothing was leased. Steps and phase come out as if Beat had been
// called for each of them, but their passes are void. It is to be called
// before the Start, Eager or Beat that ends the sleep.
// The cost grows with the steps taken, not with the beats.
func (g *Governor) Sleep(now time.Time, beats uint64) {
	g.mu.Lock()
	defer g.unlock()
	g.advance(now, beats, 0)
}

// Start records that a lease was opened.
// An asynchronous consumer's costs one small allocation, a pulling one's none.
func (g *Governor) Start(now time.Time, r Release) Work {
	g.mu.Lock()
	defer g.unlock()
	g.idleSteps(now, func(time.Time) {})
	w := Work{release: r}
	if g.brake != nil {
		w.flight = g.brake.start(now)
	}
	g.inFlight++
	g.idle = false
	g.lastRead = now
	return w
}

// Done records that the lease ended, and decides if that completes a window.
// It returns how many entries a pass that waited for the brake lets through now,
// which is 0 if none waits. They too are credit until the next pass.
func (g *Governor) Done(now time.Time, w Work) (reads int) {
	g.mu.Lock()
	defer g.unlock()
	if w.release.Beat {
		g.finish(finish{released: w.release.At, done: now, queued: w.release.Queued})
	}
	if g.brake != nil {
		reads = g.brake.done(now, w.flight)
	}
	g.inFlight--
	g.markIdle(now)
	return reads
}

// Divisor returns the number of beats per pass.
func (g *Governor) Divisor() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.divisor
}

// Reads returns the number of entries that a pass reads.
func (g *Governor) Reads() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.reads
}

// Braked reports whether the brake holds. It is to be asked before each entry
// that is handed out on the credit of an earlier call. A pulling consumer has no
// brake.
func (g *Governor) Braked(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.brake != nil && g.brake.on(now)
}

// Decisions returns a copy of the last decisions, oldest first.
func (g *Governor) Decisions() []Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.history.all()
}
