package main

import (
	"context"
	"fmt"
	"io"
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
	pipeline *pipeline.Pipeline[string, Update]
	length   time.Duration
	slow     phase
	stderr   io.Writer
}

// run runs the pipeline while the exchange is open and until all it produced is
// consumed, and sums up. A cancellation of ctx closes the exchange and drains
// the pipeline.
func (s *session) run(ctx context.Context) (summary, error) {
	// The pipeline stops after the exchange: when it stops it refuses values, and
	// the last one produced would not be the last one consumed.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = s.pipeline.Run(running)
	}()
	settled := s.conduct(ctx, ended)
	// Sum up before the stop: that drains without regard to the pace, and must
	// not be what delivers the last values.
	sum := s.sumUp()
	stop()
	<-ended
	if !settled {
		sum = s.sumUp()
	}
	return sum, err
}

// conduct reports once a second and closes the exchange when its time is over,
// or when ctx ends. It returns when all is consumed, or patience is at an end.
// It reports false if ctx or the pipeline has ended before.
func (s *session) conduct(ctx context.Context, ended <-chan struct{}) (settled bool) {
	stats := s.pipeline.Stats
	s.monitor.begin(stats())
	second := time.Tick(time.Second)
	slowBegins, slowEnds := time.After(time.Until(s.slow.from)), time.After(time.Until(s.slow.to))
	var closing <-chan time.Time // never, without a length
	if s.length > 0 {
		closing = time.After(s.length)
	}
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
			if s.left() == 0 {
				return true
			}
		case <-giveUp:
			s.sayDraining()
			return true
		case <-ctx.Done():
			s.close()
			s.sayDraining()
			return false
		case <-ended:
			s.close()
			return false
		}
	}
}

func (s *session) close() {
	s.exchange.close()
	s.monitor.closed = s.pipeline.Stats()
}

// left returns the number of entries that wait or are being processed.
func (s *session) left() uint64 {
	l := s.pipeline.Stats().Ledger
	return l.Waiting + l.Leased
}

func (s *session) sayDraining() {
	if left := s.left(); left > 0 {
		fmt.Fprintf(s.stderr, "marketdata: draining... %d entries left\n", left)
	}
}

// sumUp checks what the consumer saw. The exchange must be closed.
func (s *session) sumUp() summary {
	sum := s.monitor.sumUp(s.pipeline.Stats())
	sum.Trades = s.exchange.trades
	for u := range s.exchange.last() {
		sum.Symbols++
		if s.consumer.saw(u) {
			sum.FinalOK++
		}
	}
	return sum
}
