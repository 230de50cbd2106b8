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
	i.meter.open()
	connection, letGo := r.connection(&i.Intermittent)
	defer letGo()
	ctx := connection
	if i.meter != nil {
		ctx = context.WithValue(ctx, meterKey{}, i.meter)
	}
	s := r.newStage(i)
	ctx = context.WithValue(ctx, burstKey{}, s.burst)
	i.connected.Add(1)
	defer i.connected.Add(-1)
	defer recovered(&err)
	defer s.burst.close()
	for d, err := range i.Source(ctx) {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			if r.overTime(connection) && errors.Is(err, connection.Err()) {
				return false, nil // it was told to let go, and says so
			}
			return true, err
		}
		s.burst.more, s.burst.rest = d.More, d.rest
		d.stamp(s.burst)
		i.delivered = true
		if !i.begin(!s.empty(), &r.stopping) {
			r.late(i, s, &d, err)
			if r.goesOn(s.burst) {
				continue
			}
			return true, nil
		}
		r.handle(i, s, &d, err)
		if r.above(&i.Intermittent) {
			letGo()
		}
		if connection.Err() != nil && !r.goesOn(s.burst) {
			return false, nil
		}
	}
	return !r.overTime(connection), nil
}

// goesOn reports whether an instance goes on though it is time to end, since the rest
// of a batch, or of what comes of a delivery, would be lost else. Behind that the
// source ends. At the end of the run so does what comes of a delivery without end.
func (r *run[K, V]) goesOn(b *burst) bool {
	b.over = !b.rest
	return b.rest || b.within > 0 && r.sources.Err() == nil
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
