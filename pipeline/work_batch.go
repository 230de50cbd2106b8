package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
)

// batch is what a worker of a batch consumer has in hand. One permit covers it
// all: the limit is one of calls.
type batch[K comparable, V any] struct {
	entries []cache.Entry[K, V]
	flights []governor.Work // of the entries, for a governor
	permit  governor.Token
}

func (r *run[K, V]) workInBatches(q *quota.Gate) {
	b := &batch[K, V]{entries: make([]cache.Entry[K, V], 0, r.consumer.size)}
	defer func() {
		if len(b.entries) > 0 { // a receipt has ended the goroutine before they were processed
			r.finishBatch(b, errExited, time.Now())
		}
	}()
	for r.nextBatch(b, q) == nil {
		r.processBatch(b, q)
	}
}

// empty lets go of what was in hand.
func (b *batch[K, V]) empty() {
	clear(b.entries)
	b.entries, b.flights = b.entries[:0], b.flights[:0]
}

// nextBatch is next for a batch.
func (r *run[K, V]) nextBatch(b *batch[K, V], q *quota.Gate) (err error) {
	if r.gate == nil {
		return r.nextUnpaced(b, q)
	}
	var first job[K, V]
	if err = r.next(q, &first); err != nil {
		return err
	}
	b.permit = first.permit
	b.add(&first)
	r.fill(b)
	return nil
}

func (b *batch[K, V]) add(j *job[K, V]) {
	b.entries = append(b.entries, *j.entry())
	b.flights = append(b.flights, j.flight)
}

// nextUnpaced takes all that is eligible under one lock, where no entry needs a
// release of its own.
func (r *run[K, V]) nextUnpaced(b *batch[K, V], q *quota.Gate) (err error) {
	if b.permit, err = r.permit(q); err != nil {
		return err
	}
	taken := false
	defer func() {
		if !taken {
			b.permit.Ignore()
		}
	}()
	for len(b.entries) == 0 {
		all := b.entries[:cap(b.entries)]
		n, err := r.cache.TakeBatch(r.takes, all)
		if err != nil {
			return err
		}
		b.entries = all[:n]
		kept := 0
		for i := range b.entries {
			if r.revoked(&all[i]) {
				continue
			}
			if kept < i {
				all[kept] = all[i]
			}
			kept++
		}
		clear(all[kept:n])
		b.entries = all[:kept]
	}
	taken = true
	b.permit.Start(b.entries[0].Taken)
	return nil
}

// fill takes what more is eligible and allowed now.
func (r *run[K, V]) fill(b *batch[K, V]) {
	for len(b.entries) < r.consumer.size {
		var j job[K, V]
		if !r.gate.tryWait(&j.release) {
			return
		}
		var ok bool
		e := j.entry()
		if *e, ok = r.cache.TryTake(); !ok {
			return
		}
		if r.revoked(e) {
			continue
		}
		r.begin(&j)
		b.add(&j)
	}
}

func (r *run[K, V]) processBatch(b *batch[K, V], q *quota.Gate) {
	err := errExited
	defer b.empty()
	defer func() { r.finishBatch(b, err, time.Now()) }()
	for i := range b.entries {
		r.charge(q, &b.entries[i])
	}
	err = r.consumer.batch.call(r.handlers, b.entries)
}

// finishBatch is finish for a batch. The leases of those that are done end
// under one lock. A callback that ends the goroutine leaves nothing open.
func (r *run[K, V]) finishBatch(b *batch[K, V], err error, end time.Time) {
	err = batchError(err, len(b.entries))
	defer r.drained()
	defer r.endPermit(b.permit, end, err)
	defer each(0, len(b.flights), func(i int) { r.land(b.flights[i], end) })
	if err == nil {
		for i := range b.entries {
			r.done(&b.entries[i], end)
		}
		r.cache.Done(b.entries...)
	} else {
		r.finishEach(b, err, end)
	}
}

// finishEach finishes a batch in which something failed.
func (r *run[K, V]) finishEach(b *batch[K, V], err error, end time.Time) {
	var processed []cache.Entry[K, V]
	for i := range b.entries {
		if entryError(err, i) == nil {
			r.done(&b.entries[i], end)
			processed = append(processed, b.entries[i])
		}
	}
	r.cache.Done(processed...)
	each(0, len(b.entries), func(i int) {
		if failure := entryError(err, i); failure != nil {
			r.fail(b.entries[i], failure)
		}
	})
}
