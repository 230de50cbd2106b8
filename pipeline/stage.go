package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

// staged is how many values are admitted at once at most.
const staged = 64

// stage holds what an instance of a producer has in hand.
type stage[K comparable, V any] struct {
	burst    *burst // nil: one value at a time
	arrivals []cache.Arrival[K, V]
	receipts []Receipt // of the arrivals
	done     int       // how many of them are in the cache, or refused
}

// newStage returns the stage of an instance. One value at a time is admitted
// where a function of the user runs meanwhile, whose panic must concern that
// value only, and where quotas are charged, since the source may be held back
// after each.
func (r *run[K, V]) newStage(i *instance[V]) *stage[K, V] {
	s := &stage[K, V]{}
	size := 1
	if c := &r.config.Cache; i.meter == nil && c.Merge == nil && c.Newer == nil && c.SizeOf == nil && c.HeadStart == nil {
		size = staged
		s.burst = &burst{flush: func() { r.flush(i, s) }}
	}
	s.arrivals = make([]cache.Arrival[K, V], 0, size)
	s.receipts = make([]Receipt, 0, size)
	return s
}

func (s *stage[K, V]) empty() bool { return len(s.arrivals) == 0 }

// full reports whether it is time to admit what is staged.
func (s *stage[K, V]) full() bool {
	return !s.burst.goesOn() || len(s.arrivals) == cap(s.arrivals)
}

// put stages a delivery. It calls the user's functions; a panic in them
// concerns this value only.
func (r *run[K, V]) put(i *instance[V], s *stage[K, V], d *Delivery[V]) (err error) {
	n := len(s.arrivals)
	s.arrivals, s.receipts = s.arrivals[:n+1], append(s.receipts, d.Receipt)
	failed := true
	defer func() {
		if failed {
			s.arrivals, s.receipts = s.arrivals[:n], s.receipts[:n]
		}
	}()
	defer recovered(&err)
	a := &s.arrivals[n]
	a.Key, a.Value, a.At, a.Sequence = r.config.Key(d.Value), d.Value, d.At, d.Sequence
	if r.config.Op != nil {
		a.Op = r.config.Op(d.Value)
	}
	a.Receipt = i.held(d)
	failed = false
	return nil
}

// flush admits what is staged and settles the receipts. Then nothing is in hand.
// Should a receipt panic, another flush goes on behind it.
func (r *run[K, V]) flush(i *instance[V], s *stage[K, V]) {
	if s.empty() {
		return
	}
	for s.done < len(s.arrivals) {
		first := s.done
		n, waited, err := r.admit(s.arrivals[first:])
		i.meter.wasIdle(waited)
		if s.done += n; n > 0 {
			r.admitted(i, s.arrivals[first].At, s.receipts[first:s.done])
		}
		if err != nil {
			s.done++
			r.refused(i, &s.arrivals[s.done-1], s.receipts[s.done-1], err)
		}
	}
	clear(s.arrivals)
	clear(s.receipts)
	s.arrivals, s.receipts, s.done = s.arrivals[:0], s.receipts[:0], 0
	i.end(&r.stopping)
}

// admit puts values into the cache. One that finds no room waits for it: the
// end of that wait is a place or ErrClosed, so it needs no context.
func (r *run[K, V]) admit(arrivals []cache.Arrival[K, V]) (n int, waited time.Duration, err error) {
	defer recovered(&err)
	return r.cache.AdmitBatch(context.Background(), arrivals)
}

// admitted counts values that are in the cache, and acknowledges them unless
// the cache does. A clock reading costs more than a merge: one value in 16, or
// one of a stage, pays it.
func (r *run[K, V]) admitted(i *instance[V], first time.Time, receipts []Receipt) {
	n := uint64(len(receipts))
	i.received.Add(n)
	if after := i.producer.admitted.Add(n); (after-n)%16+n >= 16 || after == n {
		r.meters.admit.record(time.Since(first))
	}
	if i.Acknowledge != AckOnAdmit {
		return
	}
	for _, receipt := range receipts {
		if receipt != nil {
			receipt.Ack()
		}
	}
}

// refused deals with a value that the cache did not take.
func (r *run[K, V]) refused(i *instance[V], a *cache.Arrival[K, V], receipt Receipt, err error) {
	i.received.Add(1)
	if errors.As(err, new(*PanicError)) || errors.Is(err, cache.ErrKey) {
		r.skip(i, receipt, fmt.Errorf("%w: %w", ErrInvalid, err))
		return
	}
	i.rejected.Add(1)
	r.log.rejected(i.Name, err)
	if onDrop := r.onDrop; onDrop != nil {
		e := cache.Entry[K, V]{Key: a.Key, Value: a.Value, Op: a.Op, First: a.Sequence, Last: a.Sequence, Taken: a.At}
		r.log.call("OnDrop", func() { onDrop(e, cache.Rejected) })
	}
	if receipt != nil {
		receipt.Nack()
	}
}
