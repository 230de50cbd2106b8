package pipeline

import (
	"fmt"

	"github.com/headrace/headrace/cache"
)

// handle stages or skips a delivery, and charges for it unless a chain does. A
// delivery is large, so it is handed on by pointer.
func (r *run[K, V]) handle(i *instance[V], s *stage[K, V], d *Delivery[V], err error) {
	i.meter.begin(nil)
	if err == nil {
		if err = r.put(i, s, d); err != nil {
			err = fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	if err != nil {
		r.passOver(i, s, d.Receipt, err)
	} else if s.full(d.Receipt) {
		r.flush(i, s) // a wait for the quota, which comes next, is no work in hand
	}
	i.meter.end(nil, d.Bytes)
}

// passOver skips a value behind what is staged, whatever a receipt of that does.
func (r *run[K, V]) passOver(i *instance[V], s *stage[K, V], receipt Receipt, err error) {
	defer r.flush(i, s)
	defer func() {
		i.received.Add(1)
		r.skip(i, receipt, err)
	}()
	r.admitAll(i, s)
}

// skip passes over a value that is invalid.
func (r *run[K, V]) skip(i *instance[V], receipt Receipt, err error) {
	i.invalid.Add(1)
	r.log.invalid(i.Name, err)
	if receipt != nil {
		defer receipt.Ack()
	}
	if i.OnInvalid != nil {
		r.log.call("OnInvalid", func() { i.OnInvalid(err) })
	}
}

// late deals with a value that a source yielded after the stop. Without a
// receipt it would be lost, so it goes in if the cache still takes it, as does
// what else there is of a batch, invalid or not. Else it
// is held back, and refused when all else has been settled: a source ends when
// its loop does, and with many brokers so do the acknowledgements to come.
func (r *run[K, V]) late(i *instance[V], s *stage[K, V], d *Delivery[V], err error) {
	flushed := false
	defer func() {
		if !flushed { // a receipt of what was staged has panicked
			r.refuse(i, d, errExited)
		}
	}()
	r.flush(i, s)
	flushed = true
	if d.Receipt == nil && (err == nil || d.rest) {
		i.busy.Store(true)
		r.handle(i, s, d, err)
		r.flush(i, s)
		return
	}
	i.end(&r.stopping)
	<-r.sources.Done()
	r.refuse(i, d, cache.ErrClosed)
}

// refuse counts a value as rejected that was not staged, and refuses it.
func (r *run[K, V]) refuse(i *instance[V], d *Delivery[V], err error) {
	i.received.Add(1)
	i.rejected.Add(1)
	r.log.rejected(i.Name, err)
	d.nack()
}
