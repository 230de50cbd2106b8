package cache

import (
	"context"
	"time"
)

// AdmitBatch is AdmitWait for several values, in order. Those that need nothing
// but a place or a merge go in under one lock, so that a batch costs less than
// its values one by one; without a time of arrival they share one reading of
// the clock. It returns how many values have been admitted, which is all of them
// unless there is an error: that of the next one.
//
// If Merge panics, the panic reaches the caller and the values from there on
// have not been admitted.
func (c *Cache[K, V]) AdmitBatch(ctx context.Context, arrivals []Arrival[K, V]) (admitted int, waited time.Duration, err error) {
	for admitted < len(arrivals) {
		admitted += c.admitRun(arrivals[admitted:])
		if admitted == len(arrivals) {
			break
		}
		var w time.Duration
		if w, err = c.AdmitWait(ctx, arrivals[admitted]); err != nil {
			return admitted, waited + w, err
		}
		waited += w
		admitted++
	}
	return admitted, waited, nil
}

// admitRun admits the first values, as far as they can go the quick way.
func (c *Cache[K, V]) admitRun(arrivals []Arrival[K, V]) int {
	if c.odd {
		return 0
	}
	var now time.Time
	if arrivals[0].At.IsZero() {
		now = time.Now()
	}
	c.mu.Lock()
	defer c.unlock()
	for i := range arrivals {
		a := &arrivals[i]
		if a.Op != Upsert || a.Receipt != nil {
			return i
		}
		at := a.At
		if at.IsZero() {
			at = now
		}
		if at.IsZero() {
			return i // the first value had a time, this one has none
		}
		if at != c.lastAt {
			c.rebase(at)
		}
		s := c.slots.get(a.Key)
		if s != nil && c.ways.overwrites && s.mergeable() {
			c.overwrite(s, &a.Value, c.lastSince, a.Sequence)
			continue
		}
		if !c.quick(s, &incoming[K]{a.Key, c.lastSince, a.Sequence, Upsert, nil}, &a.Value) {
			return i
		}
	}
	return len(arrivals)
}
