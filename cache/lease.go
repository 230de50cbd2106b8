package cache

import "time"

// leased is a slot whose key is leased.
type leased[K comparable, V any] struct {
	slot  *slot[K, V]
	since time.Duration
}

// leases are the open leases, in no order.
type leases[K comparable, V any] []leased[K, V]

func (l *leases[K, V]) add(s *slot[K, V], since time.Duration) {
	s.place = uint64(len(*l))
	*l = append(*l, leased[K, V]{s, since})
}

// remove puts the last lease in the place of one that ends.
func (l *leases[K, V]) remove(s *slot[K, V]) {
	all := *l
	last := len(all) - 1
	if at := int(s.place); at != last {
		all[at] = all[last]
		all[at].slot.place = s.place
	}
	all[last] = leased[K, V]{}
	*l = all[:last]
	if cap(all) > fewLeases && last < cap(all)/8 { // after a peak
		*l = append(make(leases[K, V], 0, cap(all)/2), all[:last]...)
	}
}

// fewLeases are not worth giving memory back.
const fewLeases = 1024

// lease moves the head of a slot, which has been withdrawn, out to a consumer.
func (c *Cache[K, V]) lease(s *slot[K, V], e *Entry[K, V], now time.Duration, taken time.Time) {
	if s.head.attempts < mostAttempts {
		s.head.attempts++
	}
	c.fill(e, s.key, &s.head, now, taken)
	e.held = nil
	if s.extra != nil {
		e.held = s.extra.held
	}
	s.granted++
	s.leased = true
	e.owner, e.slot, e.lease = c, s, s.granted
	if c.options.Newer != nil {
		x := s.more()
		x.leased, x.leasedOp = s.head.value, s.head.op
	}
	c.waits(-1, -s.size())
	if s.advance(); s.state != none {
		s.state = behind
	}
	c.leases.add(s, now)
	c.ledger.Leased++
}

// holds reports whether an entry is still leased, by this cache.
func (c *Cache[K, V]) holds(e *Entry[K, V]) bool {
	return e.owner == c && e.slot.leased && e.slot.granted == e.lease
}

// release ends the lease of a slot. What waits behind it stays where it is.
func (c *Cache[K, V]) release(s *slot[K, V]) {
	c.leases.remove(s)
	s.leased = false
	if s.extra != nil {
		var zero V
		s.extra.leased = zero
	}
	c.ledger.Leased--
}

// Done ends the leases of processed entries. An entry whose lease has ended is
// passed over, so doing it twice is harmless. One lock serves them all.
func (c *Cache[K, V]) Done(entries ...Entry[K, V]) {
	if !c.mu.TryLock() {
		c.contend()
	}
	for i := range entries {
		if e := &entries[i]; c.holds(e) {
			c.release(e.slot)
			c.ledger.Done++
			c.settle(e.held)
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
	defer c.unlock()
	held := c.holds(&e)
	if held {
		c.bury(&e)
	}
	return held
}

func (c *Cache[K, V]) bury(e *Entry[K, V]) {
	c.lose(*e, Dead)
	c.release(e.slot)
	c.ledger.Dead++
	c.settle(e.held)
	c.next(e.slot)
}
