package cache

import (
	"context"
	"math"
	"time"
)

// Arrival is a value on its way into the cache.
type Arrival[K comparable, V any] struct {
	Key   K
	Value V
	// At is when the value arrived. It becomes the insertion time of a new
	// entry. Zero means now.
	At time.Time
	// Sequence is the number that the source gave the value; 0 for none.
	Sequence uint64
}

// Put merges value into the entry that waits for key, or inserts a new one.
// It returns ErrFull or ErrClosed, and never blocks. It reads the clock; PutAt
// spares that where the time of arrival is known.
func (c *Cache[K, V]) Put(key K, value V) error {
	return c.put(key, value, c.now(), 0)
}

// PutAt is Put for a value that arrived at the time given, which should carry
// a monotonic reading, as that of time.Now does. Zero does not mean now, as it
// does in an Arrival, but before all others.
func (c *Cache[K, V]) PutAt(key K, value V, at time.Time) error {
	return c.put(key, value, at.Sub(c.base), 0)
}

// Admit is Put for a value with all that its source tells of it.
func (c *Cache[K, V]) Admit(a Arrival[K, V]) error {
	return c.put(a.Key, a.Value, c.arrival(a.At), a.Sequence)
}

// PutWait is Put, but waits for room when the cache is at its bound, unless
// Overflow says otherwise. Waiting puts get room in the order they came; one
// whose key waits by then is merged. It returns the error of ctx when that
// ends first.
func (c *Cache[K, V]) PutWait(ctx context.Context, key K, value V) error {
	return c.putWait(ctx, key, value, c.now(), 0)
}

// AdmitWait is PutWait for a value with all that its source tells of it.
func (c *Cache[K, V]) AdmitWait(ctx context.Context, a Arrival[K, V]) error {
	return c.putWait(ctx, a.Key, a.Value, c.arrival(a.At), a.Sequence)
}

func (c *Cache[K, V]) arrival(at time.Time) time.Duration {
	if at.IsZero() {
		return c.now()
	}
	return at.Sub(c.base)
}

func (c *Cache[K, V]) put(key K, value V, at time.Duration, sequence uint64) error {
	c.mu.Lock()
	s := c.slots[key]
	if c.overwrites && s != nil && s.state != none && !c.closed {
		// The way of nearly every value under load. It wakes nobody: it makes
		// neither an entry eligible nor room.
		s.head.value = value
		s.head.merged++
		s.head.absorb(at, sequence)
		c.ledger.Puts++
		c.ledger.Merged++
		c.mu.Unlock()
		return nil
	}
	_, err := c.admit(s, key, value, at, sequence, refuse)
	return err
}

func (c *Cache[K, V]) putWait(ctx context.Context, key K, value V, at time.Duration, sequence uint64) error {
	way := refuse
	if c.options.Overflow == Wait {
		way = await
	}
	c.mu.Lock()
	for {
		w, err := c.admit(c.slots[key], key, value, at, sequence, way)
		if w == nil {
			return err
		}
		select {
		case <-w.ready:
			c.mu.Lock()
			c.putters.recycle(w)
			way = given
		case <-ctx.Done():
			c.mu.Lock()
			c.putters.leave(w)
			c.ledger.Puts++
			c.ledger.Rejected++
			c.unlock()
			return ctx.Err()
		}
	}
}

// distantPast, 146 years ago, bounds the times of arrival, so that no age
// overflows: the zero time lies further back than a Duration reaches.
const distantPast = time.Duration(math.MinInt64 / 2)

// entrance says what becomes of a new entry for which there is no room.
type entrance uint8

const (
	refuse entrance = iota
	await           // the caller is enlisted
	given           // it goes in: it had its turn, and only a Return can have taken the room
)

// admit finds the value its place, then ends the operation that the caller
// began by locking. It returns a waiter, and counts nothing, when the caller
// has to await room. It counts nothing before the user's functions have
// returned, so that a panic in them leaves all as it was.
func (c *Cache[K, V]) admit(s *slot[K, V], key K, value V, at time.Duration, sequence uint64, way entrance) (w *waiter, err error) {
	at = max(at, distantPast)
	var lost Entry[K, V]
	var reason Reason
	defer func() {
		c.unlock()
		if reason != 0 {
			c.options.OnDrop(lost, reason)
		}
	}()
	switch {
	case c.closed:
		err = ErrClosed
		c.ledger.Rejected++
	case s != nil && c.stale(s, value):
		c.ledger.Stale++
		if c.options.OnDrop != nil {
			lost, reason = c.arrived(key, value, at, sequence), Stale
		}
	case s != nil && s.state != none:
		s.head.value = c.merged(s.head.value, value)
		s.head.merged++
		s.head.absorb(at, sequence)
		c.ledger.Merged++
	case way == given || c.room():
		c.insert(s, key, value, at, sequence)
	case c.options.Overflow == EvictOldest:
		victim := c.oldest()
		if c.options.OnDrop != nil {
			lost, reason = c.entry(victim, at), Evicted
		}
		c.evict(victim)
		c.insert(s, key, value, at, sequence)
	case way == await:
		return c.putters.join(), nil
	default:
		err = ErrFull
		c.ledger.Rejected++
	}
	c.ledger.Puts++
	return nil, err
}

// insert makes a new entry. Behind a lease it has its position at once, but
// becomes eligible only when the lease ends.
func (c *Cache[K, V]) insert(s *slot[K, V], key K, value V, at time.Duration, sequence uint64) {
	if s == nil {
		s = c.slotOf(key)
	}
	c.sequence++
	s.head = item[V]{value: value, at: at, newest: at, sequence: c.sequence, first: sequence, last: sequence}
	c.ledger.Inserted++
	c.ledger.Waiting++
	if s.lease != 0 {
		s.state = behind
		return
	}
	c.eligible.push(s)
}

// arrived makes an Entry of a value that did not become one.
func (c *Cache[K, V]) arrived(key K, value V, at time.Duration, sequence uint64) Entry[K, V] {
	return Entry[K, V]{Key: key, Value: value, First: sequence, Last: sequence, Taken: c.base.Add(at)}
}

// merged combines two values of one key in the order that Newer tells.
func (c *Cache[K, V]) merged(waiting, arriving V) V {
	if c.options.Newer != nil && !c.options.Replaces && !c.options.Newer(waiting, arriving) {
		return c.options.Merge(arriving, waiting)
	}
	return c.options.Merge(waiting, arriving)
}

// stale reports whether value is out of date against what waits or is leased.
func (c *Cache[K, V]) stale(s *slot[K, V], value V) bool {
	if c.options.Newer == nil || !c.options.Replaces {
		return false
	}
	if s.state != none {
		return !c.options.Newer(s.head.value, value)
	}
	return !c.options.Newer(s.extra.leased, value)
}
