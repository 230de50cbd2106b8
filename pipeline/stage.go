package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/headrace/headrace/cache"
)

// staged is how many values are admitted at once at most.
const staged = 64

// stage holds what an instance of a producer has in hand.
type stage[K comparable, V any] struct {
	burst    *burst
	room     bool // there is always some: no value waits for others to be admitted
	arrivals []cache.Arrival[K, V]
	receipts []Receipt // of the arrivals
	wanted   bool      // one of them is not nil
	done     int       // how many of them are in the cache, or refused
}

// newStage returns the stage of an instance.
func (r *run[K, V]) newStage(i *instance[V]) *stage[K, V] {
	s := &stage[K, V]{room: r.config.Cache.Overflow != cache.Wait || r.config.Cache.MaxEntries == 0}
	s.burst = &burst{flush: func() { r.flush(i, s) }, single: r.single(i)}
	size := staged
	if s.burst.single {
		size = 1
	}
	s.arrivals = make([]cache.Arrival[K, V], 0, size)
	s.receipts = make([]Receipt, 0, size)
	return s
}

// single reports whether one value at a time is to be admitted: where quotas
// are charged, since the source may be held back after each, and where a
// function of the user's may run meanwhile, whose panic must concern that value
// only. The receipts that the cache holds are such functions.
func (r *run[K, V]) single(i *instance[V]) bool {
	c := &r.config.Cache
	return i.meter != nil || c.Merge != nil || c.MergeInto != nil || c.Newer != nil || c.SizeOf != nil || c.HeadStart != nil ||
		r.onDrop != nil && (c.Overflow == cache.EvictOldest || c.Annihilate) ||
		slices.ContainsFunc(r.producers, func(p *producer[V]) bool { return p.Acknowledge == AckOnDone })
}

func (s *stage[K, V]) empty() bool { return len(s.arrivals) == 0 }

// full reports whether it is time to admit what is staged, the last of which has
// that receipt: it must not wait for the room of those to come.
func (s *stage[K, V]) full(last Receipt) bool {
	return !s.burst.more || len(s.arrivals) == cap(s.arrivals) || last != nil && !s.room
}

// put stages a delivery. It calls the user's functions; a panic in them
// concerns this value only. If they end the goroutine, it is refused.
func (r *run[K, V]) put(i *instance[V], s *stage[K, V], d *Delivery[V]) (err error) {
	n := len(s.arrivals)
	s.arrivals, s.receipts = s.arrivals[:n+1], s.receipts[:n+1]
	s.receipts[n], s.wanted = d.Receipt, s.wanted || d.Receipt != nil
	failed := true
	defer func() {
		if !failed {
			return
		}
		s.arrivals[n], s.receipts[n] = cache.Arrival[K, V]{}, nil
		s.arrivals, s.receipts = s.arrivals[:n], s.receipts[:n]
		if v := recover(); v != nil {
			err = newPanicError(v)
			return
		}
		r.refuse(i, d, errExited)
	}()
	a := &s.arrivals[n]
	a.Value, a.At, a.Sequence = d.Value, d.At, d.Sequence
	a.Key = r.config.Key(d.Value)
	if r.config.Op != nil {
		a.Op = r.config.Op(d.Value)
	}
	a.Receipt = r.held(i, d)
	failed = false
	return nil
}

// flush admits what is staged. Then nothing is in hand but what is left of a
// batch or of a delivery.
func (r *run[K, V]) flush(i *instance[V], s *stage[K, V]) {
	r.admitAll(i, s)
	if !s.burst.inHand() {
		i.end(&r.stopping)
	}
}

// admitAll admits what is staged and settles the receipts. Should one panic, it
// goes on behind it first.
func (r *run[K, V]) admitAll(i *instance[V], s *stage[K, V]) {
	defer func() {
		if s.done < len(s.arrivals) {
			r.admitAll(i, s)
		}
		s.clear()
	}()
	for s.done < len(s.arrivals) {
		r.admitSome(i, s)
	}
}

func (s *stage[K, V]) clear() {
	if len(s.arrivals) == 1 {
		s.arrivals[0] = cache.Arrival[K, V]{} // three times as fast
	} else {
		clear(s.arrivals)
	}
	if s.wanted {
		clear(s.receipts)
	}
	s.arrivals, s.receipts, s.wanted, s.done = s.arrivals[:0], s.receipts[:0], false, 0
	s.burst.n = 0 // time may have passed
}

// admitSome admits values up to the first that is refused, and settles them,
// even if a function of the user's ends the goroutine.
func (r *run[K, V]) admitSome(i *instance[V], s *stage[K, V]) {
	first, n, err := s.done, 0, errExited
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		if s.done += n; err != nil {
			s.done++
			defer r.refused(i, &s.arrivals[s.done-1], s.receipts[s.done-1], err)
		}
		if n > 0 {
			r.admitted(i, s, first, n)
		}
	}()
	// The end of a wait for room is a place or ErrClosed, so it needs no context.
	admitted, waited, failure := r.cache.AdmitBatch(context.Background(), s.arrivals[first:])
	i.meter.wasIdle(waited)
	n, err = admitted, failure
}

// admitted counts values that are in the cache, and acknowledges them unless
// the cache does. A clock reading costs more than a merge: one value in 16, or
// one of a stage, pays it.
func (r *run[K, V]) admitted(i *instance[V], s *stage[K, V], first, n int) {
	count := uint64(n)
	i.received.Add(count)
	if after := i.producer.admitted.Add(count); (after-count)%16+count >= 16 || after == count {
		r.meters.admit.record(time.Since(s.arrivals[first].At))
	}
	if !s.wanted || i.Acknowledge != AckOnAdmit {
		return
	}
	each(first, first+n, func(n int) {
		if s.receipts[n] != nil {
			s.receipts[n].Ack()
		}
	})
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
	if receipt != nil {
		defer receipt.Nack()
	}
	if onDrop := r.onDrop; onDrop != nil {
		e := cache.Entry[K, V]{Key: a.Key, Value: a.Value, Op: a.Op, First: a.Sequence, Last: a.Sequence, Taken: a.At}
		r.log.call("OnDrop", func() { onDrop(e, cache.Rejected) })
	}
}
