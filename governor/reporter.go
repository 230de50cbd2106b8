package governor

import "sync"

// reporter hands decisions to a callback outside the lock that they were made
// under, in order and one at a time.
type reporter struct {
	callback func(Decision) // nil: nothing is reported

	// guarded by the mutex that deliver is given
	pending   []Decision
	spare     []Decision
	reporting bool
}

func (r *reporter) add(d Decision) {
	if r.callback != nil {
		r.pending = append(r.pending, d)
	}
}

// unlock unlocks mu and then reports what is pending. A call that finds another
// one reporting (or that is made by the callback itself) leaves its decisions
// to that one, which looks again before it stops: order holds, and no goroutine
// ever waits for a callback.
func (r *reporter) unlock(mu *sync.Mutex) {
	defer mu.Unlock()
	if r.reporting {
		return
	}
	// Deferred, so that a panicking callback does not silence the governor.
	defer func() { r.reporting = false }()
	for len(r.pending) > 0 {
		r.reporting = true
		r.reportBatch(mu)
	}
}

// reportBatch swaps two slices, so that reporting does not allocate for ever.
func (r *reporter) reportBatch(mu *sync.Mutex) {
	batch := r.pending
	r.pending = r.spare[:0]
	r.spare = batch
	mu.Unlock()
	defer mu.Lock()
	for _, d := range batch {
		r.callback(d)
	}
}
