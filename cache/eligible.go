package cache

// The cache keeps up to three orders of the same eligible entries. eligible is
// always there and says who is next. ages is there with HeadStart, since then
// the oldest is not the next. drops is there when entries can be dropped, so
// that finding the oldest of those does not pass over all that cannot.

// place puts the head of a slot where it belongs: behind the lease of its key,
// or among the eligible.
func (c *Cache[K, V]) place(s *slot[K, V]) {
	if s.leased {
		s.state = behind
		return
	}
	s.state = ready
	c.eligible.push(s)
	if c.ages != nil {
		c.ages.push(s)
	}
	if c.drops != nil && s.head.op.droppable() {
		c.drops.push(s)
	}
}

// withdraw takes the head of a slot out of the place where its state says it is.
func (c *Cache[K, V]) withdraw(s *slot[K, V]) {
	switch s.state {
	case ready:
		c.eligible.remove(s)
		c.unlist(s)
	case delayed:
		c.delays.remove(s)
	}
}

// pop takes the first eligible slot out of its orders. It returns nil when there is
// none.
func (c *Cache[K, V]) pop() *slot[K, V] {
	s := c.eligible.pop()
	if s != nil {
		c.unlist(s)
	}
	return s
}

// unlist takes an eligible slot out of the orders by age.
func (c *Cache[K, V]) unlist(s *slot[K, V]) {
	if c.ages != nil {
		c.ages.remove(s)
	}
	if c.drops != nil && s.head.op.droppable() {
		c.drops.remove(s)
	}
}

// next is called when the head or the lease of a slot is gone: what comes next
// in its line is placed, or the slot forgotten.
func (c *Cache[K, V]) next(s *slot[K, V]) {
	if s.state == none {
		c.forget(s)
		return
	}
	c.place(s)
}

// setOp changes the operation of a waiting entry, which may make it one that
// cannot be dropped any more. The opposite does not happen.
func (c *Cache[K, V]) setOp(s *slot[K, V], i *item[V], op Op) {
	if c.drops != nil && s.state == ready && i == &s.head && i.op.droppable() && !op.droppable() {
		c.drops.remove(s)
	}
	i.op = op
}

// oldest returns the slot whose head arrived first of all, those behind a lease
// or in back-off included. It looks at every lease.
func (c *Cache[K, V]) oldest() *slot[K, V] {
	return c.earliest(c.byAge().min(), func(*slot[K, V]) bool { return true })
}

// byAge returns the order whose first is the oldest.
func (c *Cache[K, V]) byAge() *order[K, V] {
	if c.ages != nil {
		return c.ages
	}
	return c.eligible
}

// earliest returns the slot whose head arrived first, of first and of those
// that are not eligible but fit.
func (c *Cache[K, V]) earliest(first *slot[K, V], fit func(*slot[K, V]) bool) *slot[K, V] {
	look := func(s *slot[K, V]) {
		if fit(s) && (first == nil || s.head.born().before(first.head.born())) {
			first = s
		}
	}
	for _, l := range c.leases {
		if l.slot.state == behind {
			look(l.slot)
		}
	}
	c.delays.each(look)
	return first
}
