package cache

import (
	"context"
	"math"
	"time"
)

// Arrival is a value on its way into the cache.
type Arrival[K comparable, V any] struct {
	Key   K
	Value V
	// Op says what the value does to its key. Default Upsert.
	Op Op
	// At is when the value arrived. It becomes the insertion time of a new
	// entry. Zero means now.
	At time.Time
	// Sequence is the number that the source gave the value; 0 for none.
	Sequence uint64
	// Receipt is acknowledged when the value needs no more. A value that is
	// refused with an error is left to the caller. Nil wants none.
	Receipt Receipt
}

// Put merges value into the entry that waits for key, or inserts a new one.
// It returns ErrFull, ErrClosed or ErrKey, and never blocks. It reads the
// clock; PutAt spares that where the time of arrival is known.
func (c *Cache[K, V]) Put(key K, value V) error {
	return c.put(key, &value, Upsert)
}

// PutAt is Put for a value that arrived at the time given, which should carry
// a monotonic reading, as that of time.Now does. Zero does not mean now, as it
// does in an Arrival, but before all others.
func (c *Cache[K, V]) PutAt(key K, value V, at time.Time) error {
	c.check(key)
	if !c.mu.TryLock() {
		c.contend()
	}
	s := c.slots.get(key)
	if at != c.lastAt {
		c.rebase(at)
	}
	switch {
	case s == nil:
	case s.state == none:
		if c.insertable(s) {
			c.insertQuickly(s, &value, c.lastSince, 0)
			c.unlock()
			return nil
		}
	case !s.mergeable():
	case c.ways.overwrites: // in line, since calls cost a quarter here
		h := &s.head
		h.value = value
		h.merged++
		h.newest = max(h.newest, c.lastSince)
		c.ledger.Puts++
		c.ledger.Merged++
		c.mu.Unlock()
		return nil
	case c.ways.merges:
		c.mergeAndUnlock(s, &value)
		return nil
	}
	return c.admitNow(s, &incoming[K]{key, c.lastSince, 0, Upsert, nil}, &value)
}

// Delete puts a tombstone for key. It takes the place of the value that waits,
// or a new one, always fits, and is never dropped. The value is there for Newer
// and for the consumer to look at.
func (c *Cache[K, V]) Delete(key K, value V) error {
	return c.put(key, &value, Delete)
}

// Append puts a value that must not be conflated. It queues behind what waits
// for key, which from then on merges with nothing more, and later values of the
// key queue behind it.
func (c *Cache[K, V]) Append(key K, value V) error {
	return c.put(key, &value, Append)
}

func (c *Cache[K, V]) put(key K, value *V, op Op) error {
	now := c.now()
	c.check(key)
	if !c.mu.TryLock() {
		c.contend()
	}
	return c.admitNow(c.slots.get(key), &incoming[K]{key, now, 0, op, nil}, value)
}

// Admit is Put for a value with all that its source tells of it.
func (c *Cache[K, V]) Admit(a Arrival[K, V]) error {
	c.stamp(&a)
	c.check(a.Key)
	if !c.mu.TryLock() {
		c.contend()
	}
	if a.At != c.lastAt {
		c.rebase(a.At)
	}
	in := incoming[K]{a.Key, c.lastSince, a.Sequence, a.Op, a.Receipt}
	return c.admitNow(c.slots.get(a.Key), &in, &a.Value)
}

// PutWait is Put, but waits for room when the cache is at a bound, unless
// Overflow says otherwise. Waiting puts get room in the order they came; one
// whose key waits by then is merged. It returns the error of ctx when that
// ends first.
func (c *Cache[K, V]) PutWait(ctx context.Context, key K, value V) error {
	now := c.now()
	c.check(key)
	if !c.mu.TryLock() {
		c.contend()
	}
	_, err := c.admitWait(ctx, c.slots.get(key), &incoming[K]{key, now, 0, Upsert, nil}, &value)
	return err
}

// AdmitWait is PutWait for a value with all that its source tells of it. It
// also returns how long it waited for room: 0, without a reading of the clock,
// when it did not have to.
func (c *Cache[K, V]) AdmitWait(ctx context.Context, a Arrival[K, V]) (waited time.Duration, err error) {
	c.stamp(&a)
	c.check(a.Key)
	if !c.mu.TryLock() {
		c.contend()
	}
	if a.At != c.lastAt {
		c.rebase(a.At)
	}
	t := c.lastSince
	s := c.slots.get(a.Key)
	return c.admitWait(ctx, s, &incoming[K]{a.Key, t, a.Sequence, a.Op, a.Receipt}, &a.Value)
}

func (c *Cache[K, V]) stamp(a *Arrival[K, V]) {
	if a.At.IsZero() {
		a.At = time.Now()
	}
}

// check panics if the key cannot be hashed, before anything is locked.
func (c *Cache[K, V]) check(key K) {
	if c.odd {
		hash(key)
	}
}

// rebase notes a time of arrival in the cache's terms. Producers stamp several
// values with one reading of the clock, and the difference costs a fifth of a
// merge, so the last one is kept.
func (c *Cache[K, V]) rebase(at time.Time) {
	c.lastAt, c.lastSince = at, within(at.Sub(c.base))
}

// distant, 146 years, bounds the times of arrival and the head starts, so that
// no difference of them overflows: the zero time lies further back than a
// Duration reaches.
const distant = time.Duration(math.MaxInt64 / 2)

func within(d time.Duration) time.Duration { return min(max(d, -distant), distant) }
