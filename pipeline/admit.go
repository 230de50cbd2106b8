package pipeline

import (
	"errors"

	"github.com/headrace/headrace/cache"
)

// errLeft is why values are rejected that a chain had before or behind it.
var errLeft = errors.New("pipeline: left behind by a chain that failed or was cut off")

// handle admits a delivery, or skips an invalid one.
func (r *run[K, V]) handle(i *instance[V], s *stage[K, V], d *Delivery[V], err error) {
	switch {
	case err != nil:
		r.skip(i, d.Receipt, err)
	case d.Batch == nil:
		s.one[0] = d.Value
		r.admit(i, s, d, s.one[:])
		clear(s.one[:])
	case d.Receipt == nil:
		r.admit(i, s, d, d.Batch)
	default:
		r.admitHeld(i, s, d)
	}
}

// admitHeld admits a batch that has a receipt.
func (r *run[K, V]) admitHeld(i *instance[V], s *stage[K, V], d *Delivery[V]) {
	s.share = newShare(d.Receipt) // held until all has been admitted
	panicked := true
	defer func() {
		share := s.share
		if s.share = nil; panicked {
			share.Nack()
		} else {
			share.Ack()
		}
	}()
	r.admit(i, s, d, d.Batch)
	panicked = false
}

// admit admits values, some at a time, and skips those that one of the user's
// functions cannot take.
func (r *run[K, V]) admit(i *instance[V], s *stage[K, V], d *Delivery[V], values []V) {
	defer func() {
		if len(values) > 0 { // one of the user's functions has ended the goroutine
			r.leave(i, s, d, len(values))
		}
	}()
	for len(values) > 0 {
		n, err := r.prepare(i, s, d, values)
		values = values[n:]
		r.admitThenSkip(i, s, d, err)
	}
}

// admitThenSkip admits what is staged, and skips the value behind it if that has an
// error, whatever a function of the user's does meanwhile.
func (r *run[K, V]) admitThenSkip(i *instance[V], s *stage[K, V], d *Delivery[V], err error) {
	if err != nil {
		receipt := s.receiptOf(d)
		defer r.skip(i, receipt, err)
	}
	r.admitAll(i, s)
}

// leave deals with the last n values of a delivery: those that are staged are
// admitted, the others refused.
func (r *run[K, V]) leave(i *instance[V], s *stage[K, V], d *Delivery[V], n int) {
	if d.Batch == nil {
		defer d.nack()
	}
	defer r.lose(i, n-len(s.arrivals), errExited)
	r.admitAll(i, s)
}

// skip passes over a value that is invalid.
func (r *run[K, V]) skip(i *instance[V], receipt Receipt, err error) {
	i.received.Add(1)
	i.invalid.Add(1)
	r.log.invalid(i.Name, err)
	if receipt != nil {
		defer receipt.Ack()
	}
	if i.OnInvalid != nil {
		r.log.call("OnInvalid", func() { i.OnInvalid(err) })
	}
}

// late deals with a delivery that a source yielded after the stop. Without a
// receipt it would be lost, so it goes in if the cache still takes it. Else it
// is held back, and refused when all else has been settled: a source ends when
// its loop does, and with many brokers so do the acknowledgements to come.
func (r *run[K, V]) late(i *instance[V], s *stage[K, V], d *Delivery[V], err error) {
	if d.Receipt == nil {
		r.handle(i, s, d, err)
		return
	}
	i.disconnect(&r.stopping)
	<-r.sources.Done()
	defer d.nack()
	n := d.len()
	if err != nil {
		n = 1 // invalid, and counted as one
	}
	r.lose(i, n, cache.ErrClosed)
}

// lose counts values as rejected that were not staged.
func (r *run[K, V]) lose(i *instance[V], n int, err error) {
	i.received.Add(uint64(n))
	i.rejected.Add(uint64(n))
	for range n {
		r.log.rejected(i.Name, err)
	}
}
