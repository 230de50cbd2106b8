package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor/quota"
)

// BatchHandler processes up to a number of entries at once, each of another
// key. If it returns nil all are done; if it returns BatchErrors each fares as
// it says; any other error, or a panic, is that of every entry. Otherwise it is
// as a Handler. It must not keep the slice.
type BatchHandler[K comparable, V any] func(ctx context.Context, entries []cache.Entry[K, V]) error

// BatchErrors is what a BatchHandler returns when only some entries failed: an
// error, or nil, for each entry in order.
type BatchErrors []error

func (e BatchErrors) Error() string {
	return fmt.Sprintf("%d of %d entries failed", len(e.Unwrap()), len(e))
}

// Unwrap returns the errors of the entries that failed.
func (e BatchErrors) Unwrap() []error {
	var errs []error
	for _, err := range e {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// batchError returns the error of a batch of n as one call: nil if no entry
// failed.
func batchError(err error, n int) error {
	each, ok := err.(BatchErrors)
	switch {
	case !ok:
		return err
	case len(each) != n:
		return fmt.Errorf("pipeline: BatchErrors of %d entries for a batch of %d", len(each), n)
	case len(each.Unwrap()) == 0:
		return nil
	}
	return err
}

// entryError returns the error of an entry, of the error of its batch.
func entryError(err error, i int) error {
	if each, ok := err.(BatchErrors); ok {
		return each[i]
	}
	return err
}

func (r *run[K, V]) workInBatches(q *quota.Gate) {
	var jobs []job[K, V]
	var entries []cache.Entry[K, V]
	for {
		first, err := r.next(q)
		if err != nil {
			return
		}
		jobs = r.fill(append(jobs[:0], first), q)
		entries = entries[:0]
		for i := range jobs {
			entries = append(entries, jobs[i].entry)
		}
		r.processBatch(jobs, entries)
		clear(jobs)
		clear(entries)
	}
}

// fill takes what more is eligible and allowed now. One permit covers a batch:
// the limit is one of calls.
func (r *run[K, V]) fill(jobs []job[K, V], q *quota.Gate) []job[K, V] {
	for len(jobs) < r.consumer.size {
		var j job[K, V]
		if !r.gate.tryWait(&j.release) {
			break
		}
		var ok bool
		if j.entry, ok = r.cache.TryTake(); !ok {
			break
		}
		if r.revoked(&j.entry) {
			continue
		}
		if !j.release.Beat {
			j.release.At = j.entry.Taken
		}
		r.begin(&j)
		r.charge(q, &j)
		jobs = append(jobs, j)
	}
	return jobs
}

func (r *run[K, V]) processBatch(jobs []job[K, V], entries []cache.Entry[K, V]) {
	err := errExited
	defer func() { r.finishBatch(jobs, err, time.Now()) }()
	err = r.consumer.batch.call(r.handlers, entries)
}

// finishBatch is finish for a batch. The leases of those that are done end
// under one lock.
func (r *run[K, V]) finishBatch(jobs []job[K, V], err error, end time.Time) {
	err = batchError(err, len(jobs))
	processed := make([]cache.Entry[K, V], 0, len(jobs))
	for i := range jobs {
		if entryError(err, i) == nil {
			r.done(&jobs[i].entry, end)
			processed = append(processed, jobs[i].entry)
		}
	}
	r.cache.Done(processed...)
	for i := range jobs {
		if failure := entryError(err, i); failure != nil {
			r.fail(jobs[i].entry, failure)
		}
		r.land(&jobs[i], end)
	}
	jobs[0].permit.End(end, r.outcome(err))
}

func (h BatchHandler[K, V]) call(ctx context.Context, entries []cache.Entry[K, V]) (err error) {
	defer recovered(&err)
	return h(ctx, entries)
}
