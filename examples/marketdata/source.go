package main

import (
	"context"
	"iter"
	"time"
)

// ticks is what the exchange produces, at its rate, until it is closed. It can
// be ranged over once.
func (x *exchange) ticks() iter.Seq[Tick] {
	return func(yield func(Tick) bool) {
		defer close(x.closed)
		pace := newPace(x.rate, time.Now())
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for x.open() {
			now := <-ticker.C
			for due := x.quotes + pace.due(now); x.quotes < due && x.open(); {
				if !yield(x.next()) {
					return
				}
			}
		}
	}
}

// open reports whether the exchange has not been told to close.
func (x *exchange) open() bool {
	select {
	case <-x.closing:
		return false
	default:
		return true
	}
}

// source is the exchange as the source of a pipeline. It stays open when the
// exchange has closed, until the pipeline stops: at the end of its input a
// pipeline drains the cache, and what was delivered by a drain would not show
// what the governor does.
func (x *exchange) source(ctx context.Context) iter.Seq2[Tick, error] {
	return func(yield func(Tick, error) bool) {
		for t := range x.ticks() {
			if !yield(t, nil) {
				return
			}
		}
		<-ctx.Done()
	}
}

// close ends the ticks. It returns when all of them have been handed on; then
// last and trades may be looked at. Closing twice is harmless.
func (x *exchange) close() {
	x.once.Do(func() { close(x.closing) })
	<-x.closed
}
