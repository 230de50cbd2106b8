package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// run is one run of a pipeline: its goroutines and what tells them to end.
//
// Four contexts end one after the other. inputs: sources that acknowledge
// nothing take nothing any more. takes: nor do workers. handlers: the handlers
// at work are cancelled. sources: the sources end, which is last, since with
// many brokers acknowledgements end with them.
// None of them ends with the context of Run: that one only begins the stop.
type run[K comparable, V any] struct {
	*Pipeline[K, V]
	stopping atomic.Bool
	closed   atomic.Bool // the cache takes no more values
	gone     atomic.Bool // the run has ended, though a producer has not

	inputs, takes, handlers, sources                         context.Context
	cancelInputs, cancelTakes, cancelHandlers, cancelSources context.CancelFunc

	producing, working, pacing, watching *crew
	leases                               *ongoing      // of an asynchronous consumer
	failures                             chan error    // of producers
	limit                                chan struct{} // closed when the metronome reached its limit

	cancelled <-chan struct{}  // of the context of Run; nil once seen
	deadline  <-chan time.Time // nil until the stop has one
}

func newRun[K comparable, V any](ctx context.Context, p *Pipeline[K, V]) *run[K, V] {
	r := &run[K, V]{
		Pipeline:  p,
		producing: newCrew(), working: newCrew(), pacing: newCrew(), watching: newCrew(),
		limit:     make(chan struct{}),
		leases:    newOngoing(),
		cancelled: ctx.Done(),
	}
	instances := 0
	for _, p := range p.producers {
		instances += len(p.instances)
	}
	r.failures = make(chan error, instances)
	root := context.WithoutCancel(ctx)
	r.inputs, r.cancelInputs = context.WithCancel(root)
	r.sources, r.cancelSources = context.WithCancel(root)
	r.handlers, r.cancelHandlers = context.WithCancel(root)
	r.takes, r.cancelTakes = context.WithCancel(root)
	return r
}

func (r *run[K, V]) run() error {
	r.meters.started.Store(new(time.Now()))
	r.log.started(len(r.producers), r.config.Workers)
	for _, p := range r.producers {
		if p.outlasts(r.config.Cache.MaxAge) {
			r.log.outlasts(p.Name, p.HoldLimit, r.config.Cache.MaxAge)
		}
	}
	r.start()
	why, failure := r.untilStop()
	r.log.stopping(why)
	r.stop(why)
	r.meters.ended.Store(new(time.Now()))
	err := errors.Join(failure, r.lateFailures(), r.leftovers())
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
	if q := r.config.Quotas; q != nil {
		r.watching.add("quotas", func() { q.Watch(r.sources) })
	}
	for _, p := range r.producers {
		for n, i := range p.instances {
			if q := r.config.Quotas; q != nil {
				// All of them are open before the first one is charged, since
				// their number is part of what a percentage means.
				i.meter = &meter{gate: q.Producer(quota.Identity{User: p.User, ClientID: p.ClientID})}
			}
			name := i.name(n + 1)
			r.producing.add(name, func() { r.attend(i, name) })
		}
	}
	r.working.start()
	r.pacing.start()
	r.watching.start()
	r.producing.start()
}

// attend runs an instance of a producer once, and tells of its failure.
func (r *run[K, V]) attend(i *instance[V], name string) {
	if i.attended.Swap(true) {
		return // the source ended its goroutine, which has been told
	}
	if i.meter != nil {
		defer i.meter.gate.Close()
	}
	err := errExited
	defer func() {
		if err != nil {
			r.failures <- fmt.Errorf("pipeline: %s: %w", name, err)
		}
	}()
	err = r.produce(i)
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
	case <-r.limit:
		return limited, nil
	case <-r.cancelled:
		return cancelled, nil
	case <-r.producing.done:
		select {
		case failure = <-r.failures: // the last thing that a producer did
		default:
			return endOfInput, nil
		}
	}
	if errors.Is(failure, context.Canceled) && r.isCancelled() {
		return cancelled, nil // a source that has the context of Run was first to tell
	}
	return failed, failure
}

func (r *run[K, V]) isCancelled() bool {
	select {
	case <-r.cancelled:
		return true
	default:
		return false
	}
}
