package cache

import (
	"iter"
	"slices"
	"time"
)

// Get returns the value that waits for key. It does not see a leased value.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.slots[key]; s != nil && s.state != none {
		return s.head.value, true
	}
	return value, false
}

// Len returns the number of entries that wait.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.ledger.Waiting)
}

// OldestAge returns how long the oldest waiting entry has waited, 0 when
// nothing waits. It looks at every lease.
func (c *Cache[K, V]) OldestAge() time.Duration {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.oldest(); s != nil {
		return max(0, now-s.head.at)
	}
	return 0
}

// All iterates over the entries that wait, oldest first. It copies them under
// the lock when the iteration begins, which costs time and memory in
// proportion to their number, and yields them afterwards: the loop may use the
// cache. What a value points to is not copied.
func (c *Cache[K, V]) All() iter.Seq[Entry[K, V]] {
	return func(yield func(Entry[K, V]) bool) {
		for _, e := range c.snapshot() {
			if !yield(e) {
				return
			}
		}
	}
}

func (c *Cache[K, V]) snapshot() []Entry[K, V] {
	now := c.now()
	c.mu.Lock()
	entries := make([]Entry[K, V], 0, c.ledger.Waiting)
	for _, s := range c.slots {
		if s.state != none {
			entries = append(entries, c.entry(s, now))
		}
	}
	c.mu.Unlock()
	slices.SortFunc(entries, func(a, b Entry[K, V]) int {
		pa, pb := position{-int64(a.wait), a.sequence}, position{-int64(b.wait), b.sequence}
		if pa.before(pb) {
			return -1
		}
		return 1
	})
	return entries
}
