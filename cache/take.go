package cache

import (
	"context"
	"time"
)

// Take removes the first eligible entry and leases its key, waiting for one if
// need be. It returns ErrClosed when the cache is closed and no entry can come
// any more, and the error of ctx when that ends first. An arrival wakes it at
// once. The lease ends with Done, Return or GiveUp.
func (c *Cache[K, V]) Take(ctx context.Context) (Entry[K, V], error) {
	var one [1]Entry[K, V]
	_, err := c.TakeBatch(ctx, one[:])
	return one[0], err
}

// TakeBatch is Take for up to len(entries) entries: it waits for the first,
// takes what is eligible then, and returns how many. One lock and one reading
// of the clock serve the whole batch.
func (c *Cache[K, V]) TakeBatch(ctx context.Context, entries []Entry[K, V]) (int, error) {
	// The context is asked once, and then only by idle: a taker that leaves
	// because of it after it has been woken must pass its wake on.
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(entries) == 0 {
		return 0, nil
	}
	now := c.now()
	if !c.mu.TryLock() {
		c.contend()
	}
	for {
		if n := c.take(entries, now, c.base.Add(now)); n > 0 {
			c.unlock()
			return n, nil
		}
		var err error
		if now, err = c.idle(ctx); err != nil {
			return 0, err
		}
	}
}

// TryTake is Take that never waits: it reports false when nothing is eligible.
func (c *Cache[K, V]) TryTake() (e Entry[K, V], ok bool) {
	now := c.now()
	if !c.mu.TryLock() {
		c.contend()
	}
	c.due(now)
	s := c.pop()
	if s != nil {
		c.lease(s, &e, now, c.base.Add(now))
	}
	c.unlock()
	return e, s != nil
}

// TryTakeBatch is TakeBatch that never waits: it returns 0 when nothing is
// eligible. The time given should be now. It spares the reading of the clock
// where that has just been read. An Entry is large: a slice of one that is used
// again, for Done too, is also the fastest way to take a single one.
func (c *Cache[K, V]) TryTakeBatch(at time.Time, entries []Entry[K, V]) int {
	now := within(at.Sub(c.base))
	if !c.mu.TryLock() {
		c.contend()
	}
	n := c.take(entries, now, at)
	c.unlock()
	return n
}

// Wait blocks until an entry is eligible, and takes none. Its errors are those
// of Take.
func (c *Cache[K, V]) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := c.now()
	c.mu.Lock()
	for {
		if c.due(now); c.eligible.len() > 0 {
			c.unlock()
			return nil
		}
		var err error
		if now, err = c.idle(ctx); err != nil {
			return err
		}
	}
}

// Eligible returns the number of entries that can be taken now.
func (c *Cache[K, V]) Eligible() int {
	now := c.now()
	c.mu.Lock()
	defer c.unlock()
	c.due(now)
	return c.eligible.len()
}

// take leases the first eligible entries.
func (c *Cache[K, V]) take(entries []Entry[K, V], now time.Duration, taken time.Time) int {
	c.due(now)
	n := min(len(entries), c.eligible.len())
	for i := range n {
		if i%ahead == 0 && n > 1 {
			c.touch(n - i)
		}
		c.lease(c.pop(), &entries[i], now, taken)
	}
	return n
}

// due makes those eligible whose back-off is over, and drops those that are
// over age.
func (c *Cache[K, V]) due(now time.Duration) {
	for c.delays.len() > 0 {
		s := c.delays.pop(now)
		if s == nil {
			break
		}
		c.place(s)
	}
	if c.options.Expiry == Drop {
		c.expire(now)
	}
}

// Overdue reports whether an eligible entry is over MaxAge and is to be emitted
// now. It is always false unless MaxAge is set and Expiry is EmitNow.
func (c *Cache[K, V]) Overdue() bool {
	if c.options.MaxAge == 0 || c.options.Expiry != EmitNow {
		return false
	}
	now := c.now()
	c.mu.Lock()
	defer c.unlock()
	c.due(now)
	return c.overdue(now) != nil
}

// TryTakeOverdue is TryTake for the oldest entry, if that is Overdue. A head
// start does not count here.
func (c *Cache[K, V]) TryTakeOverdue() (e Entry[K, V], ok bool) {
	if c.options.MaxAge == 0 || c.options.Expiry != EmitNow {
		return e, false
	}
	now := c.now()
	c.mu.Lock()
	defer c.unlock()
	c.due(now)
	s := c.overdue(now)
	if s == nil {
		return e, false
	}
	c.withdraw(s)
	c.lease(s, &e, now, c.base.Add(now))
	return e, true
}

// overdue returns the oldest eligible slot if that is over age.
func (c *Cache[K, V]) overdue(now time.Duration) *slot[K, V] {
	if s := c.byAge().min(); s != nil && now-s.head.at > c.options.MaxAge {
		return s
	}
	return nil
}
