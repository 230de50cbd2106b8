package cache

import "time"

// lease moves the waiting head of a slot out to a consumer.
func (c *Cache[K, V]) lease(s *slot[K, V], now time.Duration) Entry[K, V] {
	s.head.attempts++
	e := c.entry(s, now)
	c.leased++
	e.slot, e.lease, s.lease = s, c.leased, c.leased
	if c.options.Newer != nil {
		s.more().leased = s.head.value
	}
	s.clear()
	s.leaseIndex = int32(len(c.leases))
	c.leases = append(c.leases, s)
	c.ledger.Waiting--
	c.ledger.Leased++
	return e
}

// holds reports whether an entry is still leased.
func (c *Cache[K, V]) holds(e *Entry[K, V]) bool {
	return e.slot != nil && e.slot.lease == e.lease
}

// release ends the lease of a slot. What waits behind it stays where it is.
func (c *Cache[K, V]) release(s *slot[K, V]) {
	last := len(c.leases) - 1
	moved := c.leases[last]
	c.leases[s.leaseIndex], c.leases[last] = moved, nil
	moved.leaseIndex = s.leaseIndex
	c.leases = c.leases[:last]
	s.lease = 0
	if s.extra != nil {
		var zero V
		s.extra.leased = zero
	}
	c.ledger.Leased--
}

// next makes the line of a slot whose lease ended eligible, or forgets it.
func (c *Cache[K, V]) next(s *slot[K, V]) {
	if s.state == behind {
		c.eligible.push(s)
		return
	}
	c.forget(s)
}

// Done ends the leases of processed entries. An entry whose lease has ended is
// passed over, so doing it twice is harmless. One lock serves them all.
func (c *Cache[K, V]) Done(entries ...Entry[K, V]) {
	c.mu.Lock()
	for i := range entries {
		if e := &entries[i]; c.holds(e) {
			c.release(e.slot)
			c.ledger.Done++
			c.next(e.slot)
		}
	}
	c.unlock()
}

// GiveUp ends the lease of an entry that cannot be processed. It is counted
// and reported as Dead; what waits behind it becomes eligible. It reports
// whether the lease was still open.
func (c *Cache[K, V]) GiveUp(e Entry[K, V]) bool {
	c.mu.Lock()
	held := c.holds(&e)
	if held {
		c.bury(&e)
	}
	c.unlock()
	if held && c.options.OnDrop != nil {
		c.options.OnDrop(e, Dead)
	}
	return held
}

func (c *Cache[K, V]) bury(e *Entry[K, V]) {
	c.release(e.slot)
	c.ledger.Dead++
	c.next(e.slot)
}

// Return ends the lease of an entry that was not processed and puts it back at
// its old position. It merges with a newer entry of its key, whatever the
// bounds and after Close too. For the length of backoff nobody gets the key;
// 0 makes it eligible at once. It reports whether the lease was still open.
//
// If Merge panics, the panic reaches the caller, the returned entry is Dead and
// the waiting one stays as it was.
func (c *Cache[K, V]) Return(e Entry[K, V], backoff time.Duration) bool {
	var now time.Duration
	if backoff > 0 {
		now = c.now()
	}
	merging := false
	c.mu.Lock()
	defer func() {
		if merging { // Merge panicked
			c.bury(&e)
		}
		c.unlock()
		if merging && c.options.OnDrop != nil {
			c.options.OnDrop(e, Dead)
		}
	}()
	if !c.holds(&e) {
		return false
	}
	s := e.slot
	back := c.returned(&e)
	if s.state == behind {
		merging = true
		value := c.merged(back.value, s.head.value)
		merging = false
		back.join(&s.head, value)
		c.ledger.Joined++
	} else {
		c.ledger.Waiting++
	}
	c.release(s)
	s.head = back
	if backoff > 0 {
		c.delays.push(s, now+backoff)
		c.takers.wakeAll() // to mind this back-off too
	} else {
		c.eligible.push(s)
	}
	return true
}

// returned makes a waiting entry of a leased one.
func (c *Cache[K, V]) returned(e *Entry[K, V]) item[V] {
	taken := e.Taken.Sub(c.base)
	return item[V]{
		value: e.Value, at: taken - e.wait, newest: taken - e.age, sequence: e.sequence,
		first: e.First, last: e.Last, merged: uint32(e.Merged), attempts: uint32(e.Attempts),
	}
}

// join makes the entry cover a newer one of its key.
func (i *item[V]) join(newer *item[V], value V) {
	i.value = value
	i.newest = max(i.newest, newer.newest)
	i.span(newer.first, newer.last)
	i.merged += newer.merged + 1
	i.attempts += newer.attempts
}
