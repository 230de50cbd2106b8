package main

import (
	"io"
	"math"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/pipeline"
)

// monitor keeps what the report and the summary are made of.
type monitor struct {
	options options
	slow    phase
	out     io.Writer

	divisorMax atomic.Int64 // decisions come from the pipeline's goroutines

	// How the pipeline stood at certain moments.
	slowBegins, slowEnds, closed pipeline.Stats

	previous    pipeline.Stats // a second ago
	mostWaiting uint64
	lowestOut   float64       // reads a second, of the seconds so far
	longestWait time.Duration // the largest p99 of a second
}

func newMonitor(o options, slow phase, out io.Writer) *monitor {
	m := &monitor{options: o, slow: slow, out: out, lowestOut: math.Inf(1)}
	m.divisorMax.Store(int64(o.base))
	return m
}

// decided is told of each decision of the governor, one at a time.
func (m *monitor) decided(d governor.Decision) {
	m.divisorMax.Store(max(m.divisorMax.Load(), int64(d.To)))
}

// begin is told how the pipeline stands before the first second.
func (m *monitor) begin(now pipeline.Stats) {
	m.previous = now
	printHeading(m.out)
}

// second is told how the pipeline stands after each second.
func (m *monitor) second(now pipeline.Stats) {
	last := now.Since(m.previous)
	m.lowestOut = min(m.lowestOut, last.Out())
	m.mostWaiting = max(m.mostWaiting, now.Ledger.Waiting)
	m.longestWait = max(m.longestWait, last.Wait.Quantile(0.99))
	m.previous = now
	middle := now.Time.Add(-last.Elapsed / 2)
	printSecond(m.out, now.Elapsed, last, m.slow.contains(middle))
}

// sumUp makes the summary, save for the symbols. end is the end of the run.
func (m *monitor) sumUp(end pipeline.Stats) summary {
	s := summary{
		In: end.Ledger.Puts, Out: end.Ledger.Done,
		Merged: end.Ledger.Merged, Waiting: end.Ledger.Waiting,
		Balanced:    end.Ledger.Check() == nil,
		DivisorBase: m.options.base,
		DivisorMax:  int(m.divisorMax.Load()),
		DivisorEnd:  end.Divisor,
		WaitP99:     milliseconds(m.longestWait),
		ServiceP99:  milliseconds(m.closed.Service.Quantile(0.99)),
		AgeP99:      milliseconds(m.closed.Age.Quantile(0.99)),
	}
	if m.lowestOut > 0 { // infinite before the first second
		s.WaitBound = 1000 * float64(m.mostWaiting) / m.lowestOut
	}
	if m.slowEnds.Elapsed > 0 {
		third := m.slowEnds.Since(m.slowBegins)
		s.SlowOut = third.Out()
		if mean := third.Service.Mean(); mean > 0 {
			s.SlowFree = float64(m.options.workers) / mean.Seconds()
		}
	}
	return s
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
