package governor

import (
	"sync"
	"time"
)

// Governor decides which beats of a metronome pass, from the latency of the
// consumer that they feed.
//
// It has no clock: every method is told the time, which must not run backwards.
// It is safe for concurrent use, never blocks and starts no goroutine.
type Governor struct {
	interval   time.Duration
	idlePeriod time.Duration
	rule       rule

	mu        sync.Mutex
	state     ruleState
	phase     phase
	inFlight  int
	idle      bool      // nothing (but stuck work) is in flight
	idleSince time.Time // start of that, or the last step since
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
		interval:   interval,
		idlePeriod: max(1, interval*time.Duration(o.Base)/5),
		rule: rule{
			asynchronous: asynchronous,
			base:         o.Base, max: o.Max,
			window: o.Window,
			high:   o.High, low: o.Low,
		},
		state:    ruleState{divisor: o.Base},
		history:  newHistory(o.History),
		reporter: reporter{callback: o.OnDecision},
	}
	if asynchronous {
		g.brake = newBrake(interval, o)
	}
	return g, nil
}

// Beat counts the beats since the last call, of which the latest is at now, and
// returns how many passes they make: more than 1 only after missed beats.
func (g *Governor) Beat(now time.Time, beats uint64) (passes int) {
	g.mu.Lock()
	defer g.unlock()
	passes = int(g.advance(now, beats))
	if g.brake == nil {
		return passes
	}
	passes, probe := g.brake.pass(now, passes)
	if probe {
		g.report(now, g.state.divisor, verdict{reason: Probe})
	}
	g.markIdle(now)
	return passes
}

// Sleep counts beats that went by unseen, the latest at now, because nothing
// waited and nothing was leased. Steps and phase come out as if Beat had been
// called for each of them, but their passes are void. It is to be called
// before the Start or Beat that ends the sleep.
// The cost grows with the steps taken, not with the beats.
func (g *Governor) Sleep(now time.Time, beats uint64) {
	g.mu.Lock()
	defer g.unlock()
	g.advance(now, beats)
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
	return w
}

// Done records that the lease ended, and decides if that completes a window.
// It returns 1 if a pass that waited for the brake is now free, else 0.
func (g *Governor) Done(now time.Time, w Work) (passes int) {
	g.mu.Lock()
	defer g.unlock()
	if w.release.Beat {
		g.finish(finish{released: w.release.At, done: now, queued: w.release.Queued})
	}
	if g.brake != nil {
		passes = g.brake.done(now, w.flight)
	}
	g.inFlight--
	g.markIdle(now)
	return passes
}

// Divisor returns the number of beats per pass.
func (g *Governor) Divisor() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.divisor
}

// Decisions returns a copy of the last decisions, oldest first.
func (g *Governor) Decisions() []Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.history.all()
}
