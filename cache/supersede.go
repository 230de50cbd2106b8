package cache

// stale reports whether a value is out of date against what waits or is leased.
func (c *Cache[K, V]) stale(s *slot[K, V], in *incoming[K], value *V) bool {
	if c.options.Newer == nil || !c.options.Replaces || in.op == Append {
		return false
	}
	newest, ok := s.newest()
	return ok && !c.options.Newer(newest, *value)
}

// merge merges a value into the last waiting entry of its key.
func (c *Cache[K, V]) merge(s *slot[K, V], in *incoming[K], value *V) {
	tail := s.tail()
	if c.cancels(tail, in.op) && !c.late(tail.value, *value) {
		c.annihilate(s, tail, in, value)
		return
	}
	merged, op, gone := c.ordered(tail.value, *value, tail.op, in.op)
	size := c.size(s.key, merged)
	if in.receipt != nil || s.extra != nil {
		c.supersede(&s.rareOf(tail).held, hold(in.receipt), gone)
	}
	if c.options.SizeOf != nil {
		r := s.rareOf(tail)
		c.waits(0, size-r.size)
		r.size = size
	}
	c.setOp(s, tail, op)
	tail.value = merged
	tail.merged++
	tail.absorb(in.at, in.sequence)
	c.ledger.Merged++
	if c.options.Overflow == EvictOldest && c.options.MaxBytes > 0 {
		for c.ledger.Bytes > c.options.MaxBytes && c.ledger.Waiting > 1 && c.evict(in.at) {
		}
	}
}

// ordered combines two values in the order that Newer tells.
func (c *Cache[K, V]) ordered(waiting, arriving V, waitingOp, arrivingOp Op) (V, Op, gone) {
	if c.late(waiting, arriving) {
		value, op, replaced := c.combine(arriving, waiting, arrivingOp, waitingOp)
		if replaced {
			return value, op, arrivingGone
		}
		return value, op, nothingGone
	}
	value, op, replaced := c.combine(waiting, arriving, waitingOp, arrivingOp)
	if replaced {
		return value, op, waitingGone
	}
	return value, op, nothingGone
}

// gone says of which of two combined values nothing is left.
type gone uint8

const (
	nothingGone gone = iota
	waitingGone
	arrivingGone
)

// supersede joins the receipts of two values that were combined. Those of a
// value of which nothing is left are settled: its successor is held.
func (c *Cache[K, V]) supersede(waiting **held, arriving *held, g gone) {
	if *waiting == nil && arriving == nil {
		return
	}
	switch g {
	case waitingGone:
		c.settle(*waiting)
		*waiting = arriving
	case arrivingGone:
		c.settle(arriving)
	default:
		*waiting = (*waiting).with(arriving)
	}
}

// late reports whether Newer puts the arriving value before the waiting one. A
// merge that replaces never sees one that is: it is stale.
func (c *Cache[K, V]) late(waiting, arriving V) bool {
	return c.options.Newer != nil && !c.options.Replaces && !c.options.Newer(waiting, arriving)
}

// annihilate takes out the last entry of a line together with its delete.
func (c *Cache[K, V]) annihilate(s *slot[K, V], tail *item[V], in *incoming[K], value *V) {
	c.lose(c.entry(s.key, tail, in.at), Annihilated)
	c.lose(c.arrived(in, value), Annihilated)
	c.ledger.Annihilated++
	size := int64(0)
	if s.extra != nil {
		r := s.rareOf(tail)
		c.settle(r.held)
		size = r.size
	}
	c.settle(hold(in.receipt))
	c.waits(-1, -size)
	if tail != &s.head {
		s.shorten()
		return
	}
	c.withdraw(s)
	s.advance()
	c.next(s)
}
