package pipeline

import (
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// work is the goroutine of a worker: it takes an entry as late as possible, at
// the moment when it is free and the pace allows it.
func (r *run[K, V]) work() {
	for {
		e, release, err := r.next()
		if err != nil {
			return
		}
		r.process(e, release)
	}
}

// next waits for a release and an entry.
func (r *run[K, V]) next() (e cache.Entry[K, V], release governor.Release, err error) {
	for {
		release, open, err := r.gate.wait(r.takes)
		if err != nil {
			return e, release, err
		}
		if open {
			e, err = r.cache.Take(r.takes)
			release.At = e.Taken
			return e, release, err
		}
		if e, ok := r.cache.TryTake(); ok {
			return e, release, nil
		}
		// The entry that the release was meant for has been evicted.
	}
}

// process runs the handler and ends the lease.
func (r *run[K, V]) process(e cache.Entry[K, V], release governor.Release) {
	var flight governor.Work
	if r.governor != nil {
		flight = r.governor.Start(e.Taken, release)
	}
	err := r.handler.call(r.handlers, e)
	end := time.Now()
	if err == nil {
		r.meters.done(e.Taken, end, e.Wait(), e.Age())
		r.cache.Done(e)
	} else {
		r.fail(e, err)
	}
	if r.governor != nil {
		r.governor.Done(end, flight)
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
	if errors.As(err, new(*PanicError)) {
		r.meters.panicked.Add(1)
	}
	if e.Attempts < r.config.Attempts {
		r.log.failed(e.Key, e.Attempts, err)
		r.giveBack(e, r.config.Backoff.after(e.Attempts))
		return
	}
	r.log.dead(e.Key, e.Attempts, err)
	if r.config.DeadLetter != nil {
		r.log.call("DeadLetter", func() { r.config.DeadLetter(r.handlers, e, err) })
	}
	r.cache.GiveUp(e)
}

// giveBack returns an entry. Should the user's Merge panic, the cache has
// declared the entry dead and reported it.
func (r *run[K, V]) giveBack(e cache.Entry[K, V], backoff time.Duration) {
	if err := guard(func() { r.cache.Return(e, backoff) }); err != nil {
		r.log.dead(e.Key, e.Attempts, err)
	}
}
