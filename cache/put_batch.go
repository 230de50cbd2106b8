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
// have not been admitted. A key that cannot be hashed panics only as the first
// of a batch, which else ends in front of it without an error.
func (c *Cache[K, V]) AdmitBatch(ctx context.Context, arrivals []Arrival[K, V]) (admitted int, waited time.Duration, err error) {
	if len(arrivals) == 1 {
		if waited, err = c.AdmitWait(ctx, arrivals[0]); err == nil {
			admitted = 1
		}
		return admitted, waited, err
	}
	for admitted < len(arrivals) && err == nil {
		if c.odd && admitted > 0 && !hashable(arrivals[admitted].Key) {
			break
		}
		var n int
		var w time.Duration
		n, w, err = c.admitRun(ctx, arrivals[admitted:])
		admitted += n
		waited += w
	}
	return admitted, waited, err
}

// admitRun admits the first values, as far as they can go the quick way, and
// the one after them.
func (c *Cache[K, V]) admitRun(ctx context.Context, arrivals []Arrival[K, V]) (n int, waited time.Duration, err error) {
	var now time.Time
	if arrivals[0].At.IsZero() {
		now = time.Now()
	}
	c.check(arrivals[0].Key)
	if !c.mu.TryLock() {
		c.contend()
	}
	if !c.odd { // else each key has to be looked at before the lock is taken
		n = c.admitQuick(arrivals, now)
	}
	if n == len(arrivals) {
		c.unlock()
		return n, 0, nil
	}
	a := &arrivals[n]
	at := a.At
	if at.IsZero() {
		at = now
	}
	if at.IsZero() { // the first value had a time, this one has none
		at = time.Now()
	}
	if at != c.lastAt {
		c.rebase(at)
	}
	in := incoming[K]{a.Key, c.lastSince, a.Sequence, a.Op, a.Receipt}
	if waited, err = c.admitSlowly(ctx, c.slots.get(a.Key), &in, &a.Value); err == nil {
		n++
	}
	return n, waited, err
}

// admitQuick admits the first values as far as they can go the quick way. It
// keeps the lock, unless Merge panics.
func (c *Cache[K, V]) admitQuick(arrivals []Arrival[K, V], now time.Time) (n int) {
	panicked := true
	defer func() {
		if panicked {
			c.inPlace.undo()
			c.unlock()
		}
	}()
	var found [ahead]*slot[K, V]
	for n < len(arrivals) {
		for _, s := range found[:c.lookUp(arrivals[n:], &found)] {
			if !c.admitOne(s, &arrivals[n], now) {
				panicked = false
				return n
			}
			n++
		}
	}
	panicked = false
	return n
}

// admitOne admits a value if that can go the quick way.
func (c *Cache[K, V]) admitOne(s *slot[K, V], a *Arrival[K, V], now time.Time) bool {
	at := a.At
	if at.IsZero() {
		at = now
	}
	if a.Op != Upsert || a.Receipt != nil || at.IsZero() {
		return false
	}
	if at != c.lastAt {
		c.rebase(at)
	}
	if s != nil && c.ways.overwrites && s.mergeable() {
		c.overwrite(s, &a.Value, c.lastSince, a.Sequence)
		return true
	}
	return c.quick(s, &incoming[K]{a.Key, c.lastSince, a.Sequence, Upsert, nil}, &a.Value)
}
