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
	options  options
	slow     phase
	consumer *consumer
	report   *report

	divisorMax atomic.Int64 // decisions come from the pipeline's goroutines

	// How the pipeline stood at certain moments.
	begun, slowBegins, slowEnds, closed pipeline.Stats

	previous       pipeline.Stats // a second ago
	previousTrades int
	mostWaiting    uint64
	lowestOut      float64       // reads a second, of the seconds so far
	longestWait    time.Duration // the largest p99 of a second
	longestWaits   waitP99       // the same, by value
}

func newMonitor(o options, slow phase, c *consumer, out io.Writer) *monitor {
	return &monitor{options: o, slow: slow, consumer: c, report: newReport(out, o), lowestOut: math.Inf(1)}
}

// decided is told of each decision of the governor, one at a time.
func (m *monitor) decided(d governor.Decision) {
	m.divisorMax.Store(max(m.divisorMax.Load(), int64(d.To)))
}

// begin is told how the pipeline stands before the first second.
func (m *monitor) begin(now pipeline.Stats) {
	m.begun, m.previous = now, now
	m.report.heading()
}

// second is told how the pipeline stands after each second.
func (m *monitor) second(now pipeline.Stats) {
	last := now.Since(m.previous)
	middle := now.Time.Add(-last.Elapsed / 2)
	trades, waits := m.consumer.trades().seen, m.consumer.waits.next()
	m.report.second(second{
		elapsed: now.Elapsed, stats: last, waits: waits,
		trades: trades - m.previousTrades,
		slow:   m.options.slowdown > 1 && m.slow.contains(middle),
	})
	m.lowestOut = min(m.lowestOut, last.Out())
	m.mostWaiting = max(m.mostWaiting, now.Ledger.Waiting)
	m.longestWait = max(m.longestWait, last.Wait.Quantile(0.99))
	m.longestWaits = m.longestWaits.worse(waits)
	m.previous, m.previousTrades = now, trades
}

// sumUp makes the summary, save for what the exchange knows. end is the end of
// the run.
func (m *monitor) sumUp(end pipeline.Stats) summary {
	s := summary{
		In: end.Ledger.Puts, Out: end.Ledger.Done,
		Merged: end.Ledger.Merged, Waiting: end.Ledger.Waiting,
		Balanced:    end.Ledger.Check() == nil,
		Overdue:     end.Overdue,
		TradesOK:    m.consumer.trades().right,
		DivisorBase: m.begun.Divisor,
		DivisorMax:  max(m.begun.Divisor, int(m.divisorMax.Load())),
		DivisorEnd:  end.Divisor,
		Limit:       m.closed.Limit.Limit,
		InFlight:    m.closed.Limit.InFlight,
		WaitP99:     milliseconds(m.longestWait),
		ServiceP99:  milliseconds(m.closed.Service.Quantile(0.99)),
		AgeP99:      milliseconds(m.closed.Age.Quantile(0.99)),
	}
	if m.options.priority {
		s.HighValueWaitP99 = milliseconds(m.longestWaits.highValue)
		s.OthersWaitP99 = milliseconds(m.longestWaits.others)
	}
	if m.lowestOut > 0 { // infinite before the first second
		s.WaitBound = 1000 * float64(m.mostWaiting) / m.lowestOut
	}
	m.sumUpThirds(&s)
	return s
}

// sumUpThirds adds what is told of the middle and the last third.
func (m *monitor) sumUpThirds(s *summary) {
	if m.slowEnds.Elapsed == 0 {
		return
	}
	middle, last := m.slowEnds.Since(m.slowBegins), m.closed.Since(m.slowEnds)
	s.SlowOut = middle.Out()
	if mean := middle.Service.Mean(); mean > 0 {
		parallel := m.options.workers
		if limit := m.slowEnds.Limit.Limit; limit > 0 {
			parallel = min(parallel, limit)
		}
		s.SlowFree = float64(parallel) / mean.Seconds()
	}
	s.LastOut = last.Out()
	s.LastServiceP99 = milliseconds(last.Service.Quantile(0.99))
}
