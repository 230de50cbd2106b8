package pipeline

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
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
		if err != nil || over || r.stopping.Load() {
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
	i.meter.until(r.inputs)
	if i.meter.wait(); r.stopping.Load() {
		return false, nil
	}
	connection, letGo := r.connection(&i.Intermittent)
	defer letGo()
	ctx := connection
	i.meter.until(inputsOf(ctx))
	if i.meter != nil {
		ctx = context.WithValue(ctx, meterKey{}, i.meter)
	}
	c := r.newChains(i)
	ctx = context.WithValue(ctx, chainsKey{}, c)
	s := r.newStage(i)
	i.connected.Add(1)
	defer i.connected.Add(-1)
	defer i.disconnect(&r.stopping) // also from what a panic has left in hand
	defer recovered(&err)
	for d, err := range i.Source(ctx) {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			if r.overTime(connection) && errors.Is(err, connection.Err()) {
				return false, nil // it was told to let go, and says so
			}
			return true, err
		}
		late := r.receive(i, s, c, &d, err)
		if r.above(&i.Intermittent) {
			letGo()
		}
		if (late || connection.Err() != nil) && !r.goesOn(c) {
			return false, nil
		}
	}
	return !r.overTime(connection), nil
}

// receive deals with a delivery, or an invalid one, and reports whether it came
// after the stop. A delivery is large, so it is handed on by pointer.
func (r *run[K, V]) receive(i *instance[V], s *stage[K, V], c *chains, d *Delivery[V], err error) (late bool) {
	d.stamp()
	i.delivered = true
	late = !i.begin(&r.stopping)
	c.begun = c.begun || !late
	if !c.begun {
		r.late(i, s, d, err)
	} else {
		i.meter.begin(nil)
		r.handle(i, s, d, err)
	}
	if !c.inHand() {
		c.begun = false
		i.end(&r.stopping)
	}
	if !late {
		i.meter.end(nil, d.Bytes) // the wait for the quota is no work in hand
	}
	return late
}

// newChains returns what an instance has to tell the chains in front of it.
func (r *run[K, V]) newChains(i *instance[V]) *chains {
	c := &chains{lose: func(n int) { r.lose(i, n, errLeft) }}
	c.keep = func() { c.begun = i.begin(&r.stopping) || c.begun }
	c.hold = func() {
		held := i.holds // for what a chain in front has held back
		if c.keep(); !c.begun && !held {
			i.end(&r.stopping)
		}
	}
	c.letGo = func() {
		c.begun = false
		i.end(&r.stopping)
	}
	c.ending = func(n int) {
		if n > 0 || !r.stopping.Load() { // else what comes of the end is still to come
			i.ending.Add(int32(n))
		}
	}
	return c
}

// goesOn reports whether an instance goes on though it is time to end, since the rest
// of a batch, or of what a chain makes of a delivery or has held back, would be lost
// else. Behind that the source ends. A chain that goes on for ever is cut off.
func (r *run[K, V]) goesOn(c *chains) bool {
	c.over = true
	c.cut = c.cut || r.gone.Load()
	return !c.cut && c.within > 0
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
