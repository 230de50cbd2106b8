package pipeline

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor/quota"
)

// AsyncHandler starts the processing of an entry, which ends when done is
// called: with nil, or with an error as a Handler would return it. Calls after
// the first do nothing. Until then the key is leased, so an entry whose done is
// never called holds its key for ever and shows in Stats.OldestLease. A panic
// ends the processing too.
//
// The handler should return soon: it runs on a worker. How many entries are in
// progress at once is up to the pace, the Limit and Governor.Parallel.
type AsyncHandler[K comparable, V any] func(ctx context.Context, entry cache.Entry[K, V], done func(error))

// asyncJob is a job that any goroutine may end, once.
type asyncJob[K comparable, V any] struct {
	job[K, V]
	ended atomic.Bool
}

func (r *run[K, V]) workAsynchronously(q *quota.Gate) {
	for {
		j := new(asyncJob[K, V])
		if r.next(q, &j.job) != nil {
			return
		}
		r.processAsynchronously(j, q)
	}
}

func (r *run[K, V]) processAsynchronously(j *asyncJob[K, V], q *quota.Gate) {
	r.leases.begin()
	err := errExited
	defer func() {
		// If it panicked or exited, but only after the end, nothing else tells.
		if err != nil && !r.finishOnce(j, err) {
			r.log.failed(j.entry().Key, j.entry().Attempts, err)
		}
	}()
	r.charge(q, j.entry())
	err = r.consumer.async.call(r.handlers, *j.entry(), func(err error) { r.finishOnce(j, err) })
}

// finishOnce reports whether it was the first call.
func (r *run[K, V]) finishOnce(j *asyncJob[K, V], err error) bool {
	if !j.ended.CompareAndSwap(false, true) {
		return false
	}
	defer r.leases.end()
	r.finish(&j.job, err, time.Now())
	return true
}

func (h AsyncHandler[K, V]) call(ctx context.Context, e cache.Entry[K, V], done func(error)) (err error) {
	defer recovered(&err)
	h(ctx, e, done)
	return nil
}

// ongoing counts the jobs of an asynchronous consumer that are in progress.
type ongoing struct {
	open atomic.Int64
	none chan struct{} // gets a token when the last one ends
}

func newOngoing() *ongoing { return &ongoing{none: make(chan struct{}, 1)} }

func (t *ongoing) begin() { t.open.Add(1) }

func (t *ongoing) end() {
	if t.open.Add(-1) == 0 {
		select {
		case t.none <- struct{}{}:
		default:
		}
	}
}

// wait waits until none is in progress, and reports false when the wait for a
// token, which may be an old one, is given up.
func (t *ongoing) wait(await func(<-chan struct{}) bool) bool {
	for t.open.Load() > 0 {
		if !await(t.none) {
			return false
		}
	}
	return true
}
