package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// run is one run of a pipeline: its goroutines and what tells them to end.
//
// Three contexts end one after the other. takes: workers take nothing any
// more. handlers: the handlers at work are cancelled. sources: the sources
// end, which is last, since with many brokers acknowledgements end with them.
// None of them ends with the context of Run: that one only begins the stop.
type run[K comparable, V any] struct {
	*Pipeline[K, V]
	stopping atomic.Bool

	takes, handlers, sources                   context.Context
	cancelTakes, cancelHandlers, cancelSources context.CancelFunc

	producing, working, pacing *crew
	failures                   chan error    // of producers
	limit                      chan struct{} // closed when the metronome reached its limit

	cancelled <-chan struct{}  // of the context of Run; nil once seen
	deadline  <-chan time.Time // nil until the stop has one
}

func newRun[K comparable, V any](ctx context.Context, p *Pipeline[K, V]) *run[K, V] {
	r := &run[K, V]{
		Pipeline:  p,
		producing: newCrew(), working: newCrew(), pacing: newCrew(),
		failures:  make(chan error, len(p.producers)),
		limit:     make(chan struct{}),
		cancelled: ctx.Done(),
	}
	root := context.WithoutCancel(ctx)
	r.sources, r.cancelSources = context.WithCancel(root)
	r.handlers, r.cancelHandlers = context.WithCancel(root)
	r.takes, r.cancelTakes = context.WithCancel(root)
	return r
}

func (r *run[K, V]) run() error {
	r.meters.started.Store(new(time.Now()))
	r.log.started(len(r.producers), r.config.Workers)
	r.start()
	why, failure := r.untilStop()
	r.log.stopping(why)
	r.stop(why)
	r.meters.ended.Store(new(time.Now()))
	err := errors.Join(failure, r.leftovers())
	r.log.stopped(r.cache.Ledger(), err)
	return err
}

// start starts every goroutine of the run.
func (r *run[K, V]) start() {
	for i := range r.config.Workers {
		r.working.add(fmt.Sprintf("worker %d", i+1), r.work)
	}
	if r.gate != nil {
		r.pacing.add("metronome", r.pace)
	}
	for _, p := range r.producers {
		r.producing.add(fmt.Sprintf("producer %q", p.Name), func() {
			if err := r.produce(p); err != nil {
				r.failures <- fmt.Errorf("pipeline: producer %q: %w", p.Name, err)
			}
		})
	}
	r.working.start()
	r.pacing.start()
	r.producing.start()
}

// cause is why a run stops.
type cause string

const (
	endOfInput cause = "end of input"
	cancelled  cause = "cancelled"
	failed     cause = "producer failed"
	limited    cause = "metronome limit"
)

// untilStop waits for a reason to stop.
func (r *run[K, V]) untilStop() (why cause, failure error) {
	select {
	case failure = <-r.failures:
		return failed, failure
	case <-r.limit:
		return limited, nil
	case <-r.cancelled:
		return cancelled, nil
	case <-r.producing.done:
		select {
		case failure = <-r.failures: // the last thing that a producer did
			return failed, failure
		default:
			return endOfInput, nil
		}
	}
}
