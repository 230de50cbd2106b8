package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/headrace/headrace/cache"
)

// produce is the goroutine of an instance of a producer region.
func (r *run[K, V]) produce(i *instance[V]) error {
	defer i.end(&r.stopping)
	for attempt := 1; ; attempt++ {
		i.delivered = false
		err := r.connect(i)
		if err == nil || r.stopping.Load() {
			return err // after the stop it is told, unless the stop is its cause
		}
		i.failures.Add(1)
		switch i.OnFailure {
		case StopAll:
			return err
		case CarryOn:
			r.log.sourceFailed(i.Name, err, 0)
			return nil
		}
		if i.delivered {
			attempt = 1
		}
		backoff := i.RestartBackoff.after(attempt)
		backoff -= time.Duration(rand.Float64() * float64(backoff) / 2)
		r.log.sourceFailed(i.Name, err, backoff)
		if !r.sleep(backoff) {
			return nil
		}
		i.restarts.Add(1)
	}
}

// connect ranges over the source, again and again if that is intermittent.
func (r *run[K, V]) connect(i *instance[V]) error {
	for {
		over, err := r.connectOnce(i)
		if err != nil || over {
			return err
		}
		if !r.pause(&i.Intermittent) {
			return nil
		}
	}
}

// connectOnce ranges over the source until it ends, or until it is time to let
// go of it, or the run stops. It reports whether the source has no more to give.
func (r *run[K, V]) connectOnce(i *instance[V]) (over bool, err error) {
	i.meter.open()
	ctx, letGo := r.connection(&i.Intermittent)
	defer letGo()
	if i.meter != nil {
		ctx = context.WithValue(ctx, meterKey{}, i.meter)
	}
	i.connected.Add(1)
	defer i.connected.Add(-1)
	defer recovered(&err)
	for d, err := range i.Source(ctx) {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			if r.overTime(ctx) && errors.Is(err, ctx.Err()) {
				return false, nil // it was told to let go, and says so
			}
			return true, err
		}
		d.stamp()
		i.received.Add(1)
		i.delivered = true
		if !i.begin(&r.stopping) {
			return true, r.late(i, d, err)
		}
		r.handle(i, d, err)
		i.end(&r.stopping)
		if r.above(&i.Intermittent) || ctx.Err() != nil {
			return false, nil
		}
	}
	return !r.overTime(ctx), nil
}

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
	var panicked *PanicError
	switch {
	case err == nil:
		// A clock reading costs more than a merge: one value in 16 pays it.
		if i.admitted.Add(1)%16 == 1 {
			r.meters.admit.record(time.Since(d.At))
		}
		i.ackAdmitted(d)
	case errors.As(err, &panicked), errors.Is(err, cache.ErrKey):
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

// sleep waits, and reports false when the run stops first.
func (r *run[K, V]) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return !r.stopping.Load()
	case <-r.inputs.Done():
		return false
	}
}
