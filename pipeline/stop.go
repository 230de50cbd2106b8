package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// UnfinishedError is returned by Run when entries were left in the cache.
type UnfinishedError struct {
	Waiting int // entries that wait; Pipeline.Waiting shows them
	Leased  int // entries in the hands of handlers that did not return
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("pipeline: entries left behind: %d waiting, %d in handlers", e.Waiting, e.Leased)
}

// StuckError is returned by Run when goroutines did not return within Grace.
type StuckError struct {
	Names []string // as `producer "feed"` or "worker 2"
}

func (e *StuckError) Error() string {
	return "pipeline: left behind after the grace period: " + strings.Join(e.Names, ", ")
}

// stop ends the run: inputs, then the drain, then handlers, then sources.
func (r *run[K, V]) stop(why cause) {
	r.stopping.Store(true)
	r.cancelInputs()
	if why != endOfInput {
		r.setDeadline()
	}
	if why != limited {
		if !r.config.DrainPaced {
			r.gate.open()
		}
		r.settle()
	}
	r.cache.Close()
	r.closed.Store(true)
	r.openIfDrained() // the last job may have ended before that
	if !r.wait(r.working.done) || !r.leases.wait(r.wait) {
		r.log.deadline(r.cache.Ledger())
	}
	r.cancelTakes()
	r.cancelHandlers()
	r.await(r.working.done)
	r.leases.wait(r.await)
	<-r.pacing.done
	r.cache.NackWaiting()
	r.cancelSources()
	<-r.watching.done
	r.gone.Store(!r.await(r.producing.done))
}

// openIfDrained ends a paced drain when nothing is left: the workers at the gate
// may find that out.
func (r *run[K, V]) openIfDrained() {
	if l := r.cache.Ledger(); l.Waiting+l.Leased == 0 {
		r.gate.open()
	}
}

// moment is how long a stop waits for sources that it ends.
const moment = 100 * time.Millisecond

// settle waits until no producer has a value in hand any more.
func (r *run[K, V]) settle() {
	soon, cancel := context.WithTimeout(context.Background(), moment)
	defer cancel()
	for _, p := range r.producers {
		for _, i := range p.instances {
			r.settleOne(i, soon)
		}
	}
}

// settleOne waits until an instance has ended, is parked, or waits for its source. One
// that the stop ends has a moment for it: it may have a last value, and a chain may have
// held some back, which are in hand then.
func (r *run[K, V]) settleOne(i *instance[V], soon context.Context) {
	for {
		switch {
		case i.busy.Load():
			if !r.wait(i.settled) {
				return
			}
		case i.ending.Load() > 0 && soon.Err() == nil:
			select {
			case <-i.settled:
			case <-soon.Done():
			}
		default:
			return
		}
	}
}

func (r *run[K, V]) setDeadline() {
	r.cancelled = nil
	r.deadline = time.After(r.config.DrainTimeout)
}

// wait waits for something, and reports false when the deadline of the stop
// came first. A cancellation during a drain at the end of input sets one.
func (r *run[K, V]) wait(done <-chan struct{}) bool {
	for {
		select {
		case <-done:
			return true
		case <-r.cancelled:
			r.setDeadline()
		case <-r.deadline:
			r.deadline = expired
			return false
		}
	}
}

// expired is a deadline that has passed: it can be received from for ever.
var expired = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// await waits for something until the grace period is over, and reports false
// then.
func (r *run[K, V]) await(done <-chan struct{}) bool {
	grace := time.NewTimer(r.config.Grace)
	defer grace.Stop()
	select {
	case <-done:
		return true
	case <-grace.C:
		return false
	}
}

// leftovers returns the error about entries and goroutines left behind.
func (r *run[K, V]) leftovers() error {
	var errs []error
	if names := append(r.working.names(), r.producing.names()...); len(names) > 0 {
		errs = append(errs, &StuckError{names})
	}
	if l := r.cache.Ledger(); l.Waiting+l.Leased > 0 {
		errs = append(errs, &UnfinishedError{int(l.Waiting), int(l.Leased)})
	}
	return errors.Join(errs...)
}
