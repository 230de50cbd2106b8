package cache

import (
	"math"
	"time"
)

// Return ends the lease of an entry that was not processed and puts it back at
// its old position, with the value and the operation that e has. If a newer
// entry of its key waits and neither was appended they become one, else the
// returned one is the first of its line. It fits whatever the bounds, and after
// Close too. For the length of backoff nobody gets the key; 0 makes it eligible
// at once. It reports whether the lease was still open.
//
// If Merge panics, the panic reaches the caller, the returned entry is Dead and
// the waiting one stays as it was.
func (c *Cache[K, V]) Return(e Entry[K, V], backoff time.Duration) bool {
	var now time.Duration
	if backoff > 0 {
		now = c.now()
	}
	asking := false // one of the user's functions
	c.mu.Lock()
	defer func() {
		if asking { // it panicked
			c.bury(&e)
		}
		c.unlock()
	}()
	if !c.holds(&e) {
		return false
	}
	s := e.slot
	q, left := queued[V]{c.returned(&e), rare{held: e.held}}, nothingGone
	joins := s.state == behind && q.op != Append && s.head.op != Append
	asking = true
	if joins {
		q.value, q.op, left = c.ordered(q.value, s.head.value, q.op, s.head.op)
	}
	q.size = c.size(s.key, q.value)
	asking = false

	if joins {
		q.join(&s.head)
		c.waits(0, q.size-s.size())
		c.ledger.Joined++
		if s.extra != nil {
			c.supersede(&q.held, s.extra.held, left)
		}
		s.setHead(q)
	} else {
		c.waits(1, q.size)
		s.precede(q)
	}
	c.release(s)
	if backoff > 0 {
		due := now + backoff
		if due < now { // overflow
			due = math.MaxInt64
		}
		c.delays.push(s, due)
		c.takers.wakeAll() // to mind this back-off too
	} else {
		c.place(s)
	}
	return true
}

// returned makes a waiting entry of a leased one.
func (c *Cache[K, V]) returned(e *Entry[K, V]) item[V] {
	taken := within(e.Taken.Sub(c.base))
	return item[V]{
		value: e.Value, op: e.Op, at: taken - e.wait, newest: taken - e.age, lead: e.lead, sequence: e.sequence,
		first: e.First, last: e.Last, merged: uint32(e.Merged), attempts: uint16(min(e.Attempts, mostAttempts)),
	}
}

// join makes the entry cover a newer one of its key, all but its value.
func (i *item[V]) join(newer *item[V]) {
	i.newest = max(i.newest, newer.newest)
	i.span(newer.first, newer.last)
	i.merged += newer.merged + 1
	i.attempts = uint16(min(int(i.attempts)+int(newer.attempts), mostAttempts))
}
