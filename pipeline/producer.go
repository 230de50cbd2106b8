package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/cache"
)

// Producer is a producer region: a source that feeds the cache from a
// goroutine of its own.
type Producer[V any] struct {
	// Name stands in logs, errors and statistics. Default "producer-" and
	// the number of the producer, from 1.
	Name string

	// Source must be set.
	Source Source[V]

	// OnInvalid gets each error that wraps ErrInvalid. It runs on the
	// producer's goroutine. Nil counts and logs them only.
	OnInvalid func(err error)
}

// producer is a producer region at work.
type producer[V any] struct {
	Producer[V]
	busy    atomic.Bool   // between looking at run.stopping and the end of the admission
	settled chan struct{} // gets a token when a value in hand is settled while the run stops

	received, admitted, rejected, invalid atomic.Uint64
}

func newProducer[V any](p Producer[V], number int) *producer[V] {
	if p.Name == "" {
		p.Name = fmt.Sprintf("producer-%d", number)
	}
	return &producer[V]{Producer: p, settled: make(chan struct{}, 1)}
}

// produce is the goroutine of a producer region.
func (r *run[K, V]) produce(p *producer[V]) (err error) {
	defer p.end(&r.stopping)
	defer recovered(&err)
	for d, err := range p.Source(r.sources) {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			return err
		}
		d.stamp()
		p.received.Add(1)
		if !p.begin(&r.stopping) {
			r.park(p, d)
			return nil
		}
		if err != nil {
			r.skip(p, d, err)
		} else {
			r.admit(p, d)
		}
		p.end(&r.stopping)
	}
	return nil
}

// begin marks a value as in hand, unless the run is stopping. It stores and
// then loads, while the run stores stopping and then loads busy: at least one
// of them sees the other, so no value is admitted behind the run's back.
func (p *producer[V]) begin(stopping *atomic.Bool) bool {
	p.busy.Store(true)
	if !stopping.Load() {
		return true
	}
	p.end(stopping)
	return false
}

func (p *producer[V]) end(stopping *atomic.Bool) {
	p.busy.Store(false)
	if stopping.Load() {
		select {
		case p.settled <- struct{}{}:
		default:
		}
	}
}

// admit puts a value into the cache and settles its receipt. A value that
// finds no room waits for it: the end of that wait is a place or ErrClosed, so
// it needs no context.
func (r *run[K, V]) admit(p *producer[V], d Delivery[V]) {
	err := r.put(d)
	var panicked *PanicError
	switch {
	case err == nil:
		p.admitted.Add(1)
		// A clock reading costs more than a merge: one value in 16 pays it.
		if p.admitted.Load()%16 == 1 {
			r.meters.admit.record(time.Since(d.At))
		}
		d.ack()
	case errors.As(err, &panicked):
		r.skip(p, d, fmt.Errorf("%w: %w", ErrInvalid, err))
	default:
		p.rejected.Add(1)
		r.log.rejected(p.Name, err)
		d.nack()
	}
}

// put calls the user's Key and Merge; a panic in them concerns this value only.
func (r *run[K, V]) put(d Delivery[V]) (err error) {
	defer recovered(&err)
	return r.cache.AdmitWait(context.Background(), cache.Arrival[K, V]{
		Key: r.config.Key(d.Value), Value: d.Value, At: d.At, Sequence: d.Sequence,
	})
}

// skip passes over a value that is invalid.
func (r *run[K, V]) skip(p *producer[V], d Delivery[V], err error) {
	p.invalid.Add(1)
	r.log.invalid(p.Name, err)
	if p.OnInvalid != nil {
		r.log.call("OnInvalid", func() { p.OnInvalid(err) })
	}
	d.ack()
}

// park holds back the value that a source yielded after the stop. It is refused
// when all else has been settled: a source ends when its loop does, and with
// many brokers so do the acknowledgements that are still to come.
func (r *run[K, V]) park(p *producer[V], d Delivery[V]) {
	<-r.sources.Done()
	p.rejected.Add(1)
	r.log.rejected(p.Name, cache.ErrClosed)
	d.nack()
}
