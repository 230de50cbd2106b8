package cache

// unlock ends every operation. It wakes whoever can go on now: one taker when
// an entry is eligible, one putter when there is room and none is awake yet. Each of them ends with
// unlock as well and so wakes the next one, until there is nothing left to do.
// Then it reports what was dropped.
func (c *Cache[K, V]) unlock() {
	if c.takers.len() > 0 {
		c.wakeTakers()
	}
	if c.putters.len() > 0 {
		c.wakePutters()
	}
	if c.losses == nil && c.acks == nil {
		c.mu.Unlock()
		return
	}
	c.report()
}

func (c *Cache[K, V]) wakeTakers() {
	switch {
	case c.finished():
		c.takers.wakeAll()
	case c.eligible.len() > 0:
		c.takers.wake()
	}
}

func (c *Cache[K, V]) wakePutters() {
	switch {
	case c.closed:
		c.putters.wakeAll()
	case c.putters.awake == 0 && c.fits(c.putters.first().op, c.putters.first().size):
		c.putters.wake()
	}
}

// report unlocks, tells OnDrop, and acknowledges.
func (c *Cache[K, V]) report() {
	losses, acks := c.losses, c.acks
	c.losses, c.acks = nil, nil
	c.mu.Unlock()
	defer each(acks, Receipt.Ack) // also if OnDrop panics
	for i := range losses {
		c.options.OnDrop(losses[i].entry, losses[i].reason)
	}
}
