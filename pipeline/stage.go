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

// stage holds the values that an instance of a producer is admitting.
type stage[K comparable, V any] struct {
	one      [1]V   // the value of a delivery that is no batch
	share    *share // of the receipt of a batch; nil without one
	arrivals []cache.Arrival[K, V]
	receipts []Receipt // of the arrivals, nil behind them
	wanted   bool      // one of them is not nil
	done     int       // how many of them are in the cache, or refused
}

// newStage returns the stage of an instance.
func (r *run[K, V]) newStage(i *instance[V]) *stage[K, V] {
	size := staged
	if r.single(i) {
		size = 1
	}
	return &stage[K, V]{arrivals: make([]cache.Arrival[K, V], 0, size), receipts: make([]Receipt, size)}
}

// single reports whether one value at a time is to be admitted: where a
// function of the user's may run meanwhile, whose panic must concern that value
// only. The receipts that the cache holds are such functions.
func (r *run[K, V]) single(i *instance[V]) bool {
	c := &r.config.Cache
	return c.Merge != nil || c.MergeInto != nil || c.Newer != nil || c.SizeOf != nil || c.HeadStart != nil ||
		r.onDrop != nil && (c.Overflow == cache.EvictOldest || c.Annihilate) ||
		slices.ContainsFunc(r.producers, func(p *producer[V]) bool { return p.Acknowledge == AckOnDone })
}

// prepare stages the first of some values, as many as there is room for, and
// reports how many they are. It calls the user's functions: an error is the
// panic of one in the last of them, which is not staged.
func (r *run[K, V]) prepare(i *instance[V], s *stage[K, V], d *Delivery[V], values []V) (n int, err error) {
	failed := true
	defer func() {
		if !failed {
			return
		}
		s.arrivals[:n+1][n] = cache.Arrival[K, V]{}
		if v := recover(); v != nil {
			n, err = n+1, fmt.Errorf("%w: %w", ErrInvalid, newPanicError(v))
		}
	}()
	for n < len(values) && n < cap(s.arrivals) {
		v, a := &values[n], &s.arrivals[:n+1][n]
		a.Key = r.config.Key(*v)
		if r.config.Op != nil {
			a.Op = r.config.Op(*v)
		}
		a.Value, a.At, a.Sequence = *v, d.At, d.Sequence
		if d.Receipt != nil {
			s.wanted, s.receipts[n] = true, s.receiptOf(d)
			a.Receipt = r.held(i, s.receipts[n])
		}
		n++
		s.arrivals = s.arrivals[:n]
	}
	failed = false
	return n, nil
}

// receiptOf returns the receipt of one more value of a delivery.
func (s *stage[K, V]) receiptOf(d *Delivery[V]) Receipt {
	if s.share != nil {
		return s.share.part()
	}
	return d.Receipt
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
	s.arrivals, s.wanted, s.done = s.arrivals[:0], false, 0
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
	if errors.As(err, new(*PanicError)) || errors.Is(err, cache.ErrKey) {
		r.skip(i, receipt, fmt.Errorf("%w: %w", ErrInvalid, err))
		return
	}
	i.received.Add(1)
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
