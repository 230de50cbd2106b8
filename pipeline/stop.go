package pipeline

import (
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
	if why != endOfInput {
		r.setDeadline()
	}
	if why == limited {
		r.cancelTakes()
	} else {
		r.gate.open()
		r.settle()
	}
	r.cache.Close()
	if !r.wait(r.working.done) {
		r.log.deadline(r.cache.Ledger())
	}
	r.cancelTakes()
	r.cancelHandlers()
	r.await(r.working)
	<-r.pacing.done
	r.cancelSources()
	r.await(r.producing)
}

// settle waits until no producer has a value in hand any more: each of them has
// ended, waits for its source, or is parked.
func (r *run[K, V]) settle() {
	for _, p := range r.producers {
		for p.busy.Load() && r.wait(p.settled) {
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

// await waits for a crew that has just been cancelled, for the grace period.
func (r *run[K, V]) await(c *crew) {
	grace := time.NewTimer(r.config.Grace)
	defer grace.Stop()
	select {
	case <-c.done:
	case <-grace.C:
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
