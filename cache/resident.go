package cache

// residents bounds the slots that stay when nothing of their key waits or is
// leased. A key that recurs needs no place in the table then, which is half of
// the cost of a cycle.
const residents = 1 << 14

// slotOf returns a slot for a key that has none.
func (c *Cache[K, V]) slotOf(key K) *slot[K, V] {
	var s *slot[K, V]
	if c.resident.Len() >= residents {
		s = c.reclaim()
	} else {
		s = new(slot[K, V])
	}
	s.key = key
	c.slots.add(s)
	return s
}

// forget lets a slot of which nothing waits idle, unless it is leased. While the
// old map of the table is on its way out no slot may stay in there.
func (c *Cache[K, V]) forget(s *slot[K, V]) {
	if s.leased {
		return
	}
	s.place = c.resident.Push(s)
	switch {
	case c.slots.old != nil:
		c.reclaim()
		if c.resident.Len() > 0 {
			c.reclaim()
		}
	case c.resident.Len() > residents:
		c.reclaim()
	case c.resident.Sparse(): // others came again sooner, and their holes must not make the lane grow
		first := c.resident.Pop()
		first.place = c.resident.Push(first)
	}
}

// revive makes a slot fit for an entry: it idles no more.
func (c *Cache[K, V]) revive(s *slot[K, V]) {
	if !s.leased {
		c.resident.Remove(s.place)
	}
}

// reclaim takes the slot that has been idle for longest, or nearly so, away from
// its key.
func (c *Cache[K, V]) reclaim() *slot[K, V] {
	s := c.resident.Pop()
	c.slots.remove(s.key)
	var zero K
	s.key = zero
	return s
}
