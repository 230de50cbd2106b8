package cache

// oldest returns the slot whose waiting entry has the first position of all,
// those behind a lease or in back-off included. It looks at every lease.
func (c *Cache[K, V]) oldest() *slot[K, V] {
	first := c.eligible.min()
	older := func(s *slot[K, V]) {
		if first == nil || s.position().before(first.position()) {
			first = s
		}
	}
	for _, s := range c.leases {
		if s.state == behind {
			older(s)
		}
	}
	c.delays.each(older)
	return first
}

// evict drops the waiting entry of a slot.
func (c *Cache[K, V]) evict(s *slot[K, V]) {
	c.withdraw(s)
	c.ledger.Evicted++
	c.ledger.Waiting--
	c.forget(s)
}

// withdraw takes the waiting entry out of the place where its state says it is.
func (c *Cache[K, V]) withdraw(s *slot[K, V]) {
	switch s.state {
	case ready:
		c.eligible.remove(s)
	case delayed:
		c.delays.remove(s)
	}
	s.clear()
}
