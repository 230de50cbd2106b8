package main

import (
	"context"
	"sync"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// patience bounds the time that the consumer gets for what waits when the
// exchange has closed.
const patience = time.Minute

// session is one run of the pipeline.
type session struct {
	exchange *exchange
	consumer *consumer
	monitor  *monitor
	pipeline *pipeline.Pipeline[string, Quote]
	length   time.Duration
	slow     phase
}

// run runs the pipeline while the exchange is open and until all it produced is
// consumed, and sums up. A cancellation of ctx closes the exchange and drains
// the pipeline.
func (s *session) run(ctx context.Context) (sum summary, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The pipeline stops after the exchange: when it stops it refuses values, and
	// the last one produced would not be the last one consumed.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	settled := false
	var conductor sync.WaitGroup
	conductor.Go(func() {
		defer stop()
		// Sum up before the stop: that drains without regard to the pace, and
		// must not be what delivers the last values.
		if settled = s.conduct(ctx); settled {
			sum = s.sumUp()
		}
	})
	err = s.pipeline.Run(running)
	cancel() // for a pipeline that failed
	conductor.Wait()
	if !settled {
		sum = s.sumUp()
	}
	return sum, err
}

// conduct reports once a second and closes the exchange when its time is over,
// or when ctx ends. It returns when all is consumed, or patience is at an end,
// or ctx is; it reports false for the last.
func (s *session) conduct(ctx context.Context) (settled bool) {
	stats := s.pipeline.Stats
	s.monitor.begin(stats())
	second := time.Tick(time.Second)
	slowBegins, slowEnds := time.After(time.Until(s.slow.from)), time.After(time.Until(s.slow.to))
	closing := time.After(s.length)
	var look, giveUp <-chan time.Time // after the closing
	for {
		select {
		case <-second:
			s.monitor.second(stats())
		case <-slowBegins:
			s.monitor.slowBegins = stats()
		case <-slowEnds:
			s.monitor.slowEnds = stats()
		case <-closing:
			s.close()
			look, giveUp = time.Tick(10*time.Millisecond), time.After(patience)
		case <-look:
			if s.atRest() {
				return true
			}
		case <-giveUp:
			return true
		case <-ctx.Done():
			s.close()
			return false
		}
	}
}

func (s *session) close() {
	s.exchange.close()
	s.monitor.closed = s.pipeline.Stats()
}

// atRest reports whether nothing waits and nothing is being processed.
func (s *session) atRest() bool {
	l := s.pipeline.Stats().Ledger
	return l.Waiting+l.Leased == 0
}

// sumUp checks what the consumer saw last. The exchange must be closed.
func (s *session) sumUp() summary {
	sum := s.monitor.sumUp(s.pipeline.Stats())
	for q := range s.exchange.last() {
		sum.Symbols++
		if s.consumer.saw(q) {
			sum.FinalOK++
		}
	}
	return sum
}
