package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

// handle admits or skips a delivery, and charges for it unless a chain does.
func (r *run[K, V]) handle(i *instance[V], d Delivery[V], err error) {
	i.meter.begin(nil)
	if err != nil {
		r.skip(i, d, err)
	} else {
		r.admit(i, d)
	}
	i.busy.Store(false) // a wait for the quota is no work in hand
	i.meter.end(nil, d.Bytes)
}

// admit puts a value into the cache and settles its receipt. A value that
// finds no room waits for it: the end of that wait is a place or ErrClosed, so
// it needs no context.
func (r *run[K, V]) admit(i *instance[V], d Delivery[V]) {
	waited, err := r.put(i, d)
	i.meter.wasIdle(waited)
	switch {
	case err == nil:
		// A clock reading costs more than a merge: one value in 16 pays it.
		if i.admitted.Add(1)%16 == 1 {
			r.meters.admit.record(time.Since(d.At))
		}
		i.ackAdmitted(d)
	case errors.As(err, new(*PanicError)), errors.Is(err, cache.ErrKey):
		r.skip(i, d, fmt.Errorf("%w: %w", ErrInvalid, err))
	default:
		i.rejected.Add(1)
		r.log.rejected(i.Name, err)
		r.onRejected(d)
		d.nack()
	}
}

// onRejected tells the user's OnDrop of a value that the cache refused.
func (r *run[K, V]) onRejected(d Delivery[V]) {
	if onDrop := r.onDrop; onDrop != nil {
		a := r.arrival(d)
		e := cache.Entry[K, V]{Key: a.Key, Value: a.Value, Op: a.Op, First: a.Sequence, Last: a.Sequence, Taken: a.At}
		r.log.call("OnDrop", func() { onDrop(e, cache.Rejected) })
	}
}

// put calls the user's functions; a panic in them concerns this value only.
func (r *run[K, V]) put(i *instance[V], d Delivery[V]) (waited time.Duration, err error) {
	defer recovered(&err)
	a := r.arrival(d)
	a.Receipt = i.held(d)
	return r.cache.AdmitWait(context.Background(), a)
}

func (r *run[K, V]) arrival(d Delivery[V]) cache.Arrival[K, V] {
	a := cache.Arrival[K, V]{Key: r.config.Key(d.Value), Value: d.Value, At: d.At, Sequence: d.Sequence}
	if r.config.Op != nil {
		a.Op = r.config.Op(d.Value)
	}
	return a
}

// skip passes over a value that is invalid.
func (r *run[K, V]) skip(i *instance[V], d Delivery[V], err error) {
	i.invalid.Add(1)
	r.log.invalid(i.Name, err)
	if i.OnInvalid != nil {
		r.log.call("OnInvalid", func() { i.OnInvalid(err) })
	}
	d.ack()
}

// late deals with a value that a source yielded after the stop. Without a
// receipt it would be lost, so it goes in if the cache still takes it. Else it
// is held back, and refused when all else has been settled: a source ends when
// its loop does, and with many brokers so do the acknowledgements to come.
func (r *run[K, V]) late(i *instance[V], d Delivery[V], err error) error {
	if d.Receipt == nil && err == nil {
		i.busy.Store(true)
		r.admit(i, d)
		i.end(&r.stopping)
		return nil
	}
	<-r.sources.Done()
	i.rejected.Add(1)
	r.log.rejected(i.Name, cache.ErrClosed)
	d.nack()
	return nil
}
