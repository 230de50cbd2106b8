package cache

import (
	"iter"
	"slices"
	"time"
)

// Get returns the value that waits for key, the last of its line. It does not
// see a leased value, and where the last is a Delete there is none.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slots.get(key)
	if s == nil || s.state == none || s.tail().op == Delete {
		return value, false
	}
	return s.tail().value, true
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

// OldestLease returns how long the entry that was taken first of all that are
// leased has been so, 0 when nothing is leased. It looks at every lease.
func (c *Cache[K, V]) OldestLease() time.Duration {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	first := now
	for _, l := range c.leases {
		first = min(first, l.since)
	}
	return now - first
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
	type dated struct {
		born  position
		entry Entry[K, V]
	}
	now := c.now()
	c.mu.Lock()
	all := make([]dated, 0, c.ledger.Waiting)
	c.slots.each(func(s *slot[K, V]) {
		if s.state == none {
			return
		}
		born := s.head.born()
		all = append(all, dated{born, c.entry(s.key, &s.head, now)})
		for i := range s.rest() {
			next := &s.rest()[i].item
			if born.before(next.born()) { // else a late stamp: it stays behind the one before
				born = next.born()
			}
			all = append(all, dated{born, c.entry(s.key, next, now)})
		}
	})
	c.mu.Unlock()
	slices.SortStableFunc(all, func(a, b dated) int {
		switch {
		case a.born.before(b.born):
			return -1
		case b.born.before(a.born):
			return 1
		}
		return 0
	})
	entries := make([]Entry[K, V], len(all))
	for i := range all {
		entries[i] = all[i].entry
	}
	return entries
}
