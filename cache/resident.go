package cache

// residents bounds the slots that stay when nothing of their key waits or is
// leased. A key that recurs needs no place in the table then, which is half of
// the cost of a cycle.
const residents = 1 << 14

// seats are the slots that stay. A slot keeps its seat while its key waits and is
// leased, so a key that recurs costs nothing here. When all seats are taken a new
// key gets that of a slot that idles: they are looked at in turn.
type seats[K comparable, V any] struct {
	slots []*slot[K, V]
	hand  int // the seat to look at next
}

// tries is how many seats a new key looks at.
const tries = 4

// idle reports whether nothing of the slot's key waits or is leased.
func (s *slot[K, V]) idle() bool { return s.state == none && !s.leased }

// slotOf returns a slot for a key that has none.
func (c *Cache[K, V]) slotOf(key K) *slot[K, V] {
	s := c.reclaim()
	if s == nil {
		s = new(slot[K, V])
	}
	s.key = key
	c.slots.add(s)
	return s
}

// reclaim takes a slot that idles away from its key, if all seats are taken. It
// returns nil if there is none, or none was found.
func (c *Cache[K, V]) reclaim() *slot[K, V] {
	r := &c.resident
	if len(r.slots) < residents {
		return nil
	}
	for range tries {
		s := r.slots[r.hand]
		if r.hand++; r.hand == len(r.slots) {
			r.hand = 0
		}
		if s.idle() {
			c.dismiss(s)
			return s
		}
	}
	return nil
}

// forget lets a slot of which nothing waits idle, unless it is leased, or takes it
// out of the table.
func (c *Cache[K, V]) forget(s *slot[K, V]) {
	switch {
	case s.leased:
	case c.slots.old != nil:
		c.vacate(s)
	case s.seated:
	case len(c.resident.slots) < residents:
		s.seated = true
		c.resident.slots = append(c.resident.slots, s)
	default:
		c.dismiss(s)
	}
}

// vacate takes two slots off their seats, and out of the table if they idle, and an
// idle slot that has no seat out of the table. It is called while the old map of the
// table is on its way out, so that none idles in there for long.
func (c *Cache[K, V]) vacate(s *slot[K, V]) {
	r := &c.resident
	for range min(2, len(r.slots)) {
		last := len(r.slots) - 1
		other := r.slots[last]
		r.slots[last] = nil
		r.slots = r.slots[:last]
		if other.seated = false; other.idle() && other != s {
			c.dismiss(other)
		}
	}
	if !s.seated {
		c.dismiss(s)
	}
}

// dismiss takes an idle slot away from its key.
func (c *Cache[K, V]) dismiss(s *slot[K, V]) {
	c.slots.remove(s.key)
	var zero K
	s.key = zero
}
