package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// job is an entry in the hands of the consumer, with what has to be told when
// it is done.
type job[K comparable, V any] struct {
	entries [1]cache.Entry[K, V] // an array, since an entry is large and the cache fills and ends slices
	release governor.Release
	flight  governor.Work  // of the governor
	permit  governor.Token // of the limiter; the zero one ends nothing
}

func (j *job[K, V]) entry() *cache.Entry[K, V] { return &j.entries[0] }

// begin tells governor and limiter that a job has been taken.
func (r *run[K, V]) begin(j *job[K, V]) {
	taken := j.entry().Taken
	j.permit.Start(taken)
	if r.governor != nil {
		j.flight = r.governor.Start(taken, j.release)
	}
}

// finish ends the lease of a job, and tells governor and limiter, even if a
// callback ends the goroutine.
func (r *run[K, V]) finish(j *job[K, V], err error, end time.Time) {
	defer r.drained()
	defer r.land(j.flight, end)
	defer r.endPermit(j.permit, end, err)
	if err == nil {
		r.done(j.entry(), end)
		r.cache.Done(j.entries[:]...)
	} else {
		r.fail(*j.entry(), err)
	}
}

// done notes an entry that was processed.
func (r *run[K, V]) done(e *cache.Entry[K, V], end time.Time) {
	r.meters.done(e.Taken, end, e.Wait(), e.Age())
	r.image.set(e)
	r.hottest.see(e.Key, e.Merged+1, end)
}

// land tells the governor that a job has ended.
func (r *run[K, V]) land(flight governor.Work, end time.Time) {
	if r.governor != nil {
		if reads := r.governor.Done(end, flight); reads > 0 && !r.gate.isOpen() {
			r.release(end, reads, true) // that a brake has held back
		}
	}
}

// drained ends a paced drain with its last job.
func (r *run[K, V]) drained() {
	if r.closed.Load() {
		r.openIfDrained()
	}
}

// fail returns an entry to the cache to be tried again, or gives it up after
// its last attempt. What failed because the drain deadline cancelled it goes
// back as it was: it is left waiting, not dead.
func (r *run[K, V]) fail(e cache.Entry[K, V], err error) {
	if r.handlers.Err() != nil {
		r.giveBack(e, 0)
		return
	}
	r.meters.failed.Add(1)
	if panicked(err) {
		r.meters.panicked.Add(1)
	}
	if e.Attempts < r.config.Attempts {
		r.log.failed(e.Key, e.Attempts, err)
		r.giveBack(e, r.config.Backoff.after(e.Attempts))
		return
	}
	defer r.cache.GiveUp(e)
	r.log.dead(e.Key, e.Attempts, err)
	if r.config.DeadLetter != nil {
		r.log.call("DeadLetter", func() { r.config.DeadLetter(r.handlers, e, err) })
	}
}

// giveBack returns an entry. Should the user's Merge panic, the cache has
// declared the entry dead and reported it.
func (r *run[K, V]) giveBack(e cache.Entry[K, V], backoff time.Duration) {
	if err := guard(func() { r.cache.Return(e, backoff) }); err != nil {
		r.log.dead(e.Key, e.Attempts, err)
	}
}
