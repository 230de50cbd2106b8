package cache

import (
	"sync"
	"time"
)

// Cache is a keyed coalescing cache: at most one waiting entry per key, oldest
// first. A value for a key that still waits is merged into its entry, which
// keeps its position. An entry that is taken is leased: until the lease ends
// its key is not handed out again, and newer values of the key wait.
//
// All methods are safe for concurrent use. Those without a context never
// block but for the cache's one mutex.
type Cache[K comparable, V any] struct {
	options    Options[K, V]
	overwrites bool      // a put to a waiting key runs no user code
	base       time.Time // times in the cache are durations since then

	mu       sync.Mutex
	slots    map[K]*slot[K, V]
	eligible order[K, V]
	leases   []*slot[K, V] // the slots whose key is leased
	delays   delays[K, V]
	spare    []*slot[K, V] // slots of forgotten keys, for re-use
	sequence uint64        // of the newest insertion
	leased   uint64        // number of the newest lease
	closed   bool
	ledger   Ledger
	takers   waiters // wait for an eligible entry
	putters  waiters // wait for room
}

// New returns an empty cache, or an error that names the field at fault.
func New[K comparable, V any](o Options[K, V]) (*Cache[K, V], error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	overwrites := o.Merge == nil && o.Newer == nil
	if o.Merge == nil {
		o.Merge, o.Replaces = Latest[V], true
	}
	return &Cache[K, V]{
		options:    o,
		overwrites: overwrites,
		base:       time.Now(),
		slots:      make(map[K]*slot[K, V]),
		eligible:   newOrder[K, V](),
		delays:     newDelays[K, V](),
	}, nil
}

// now reads the monotonic clock.
func (c *Cache[K, V]) now() time.Duration { return time.Since(c.base) }

// spares bounds the slots kept for re-use.
const spares = 1024

// slotOf returns a slot for a key that has none.
func (c *Cache[K, V]) slotOf(key K) *slot[K, V] {
	var s *slot[K, V]
	if n := len(c.spare); n > 0 {
		s, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		s = new(slot[K, V])
	}
	s.key = key
	c.slots[key] = s
	return s
}

// forget drops a slot when nothing of its key waits or is leased: no state of
// a key outlives its last entry.
func (c *Cache[K, V]) forget(s *slot[K, V]) {
	if s.state != none || s.lease != 0 {
		return
	}
	delete(c.slots, s.key)
	var zero K
	s.key = zero
	if len(c.spare) < spares {
		c.spare = append(c.spare, s)
	}
}

// full reports whether the cache is at its bound.
func (c *Cache[K, V]) full() bool {
	return c.options.MaxEntries > 0 && c.ledger.Waiting >= uint64(c.options.MaxEntries)
}

// room reports whether a new entry may go in. A newcomer must not overtake
// those who wait: while there is room for them, one of them is awake.
func (c *Cache[K, V]) room() bool { return !c.full() && c.putters.awake == 0 }

// finished reports whether no entry can come any more.
func (c *Cache[K, V]) finished() bool {
	return c.closed && c.ledger.Waiting == 0 && c.ledger.Leased == 0
}

// unlock ends every operation. It wakes whoever can go on now: one taker when
// an entry is eligible, one putter when there is room. Each of them ends with
// unlock as well and so wakes the next one, until there is nothing left to do.
// One putter at a time, so that they go in in the order they came.
func (c *Cache[K, V]) unlock() {
	switch {
	case c.takers.len() == 0:
	case c.finished():
		c.takers.wakeAll()
	case c.eligible.len() > 0:
		c.takers.wake()
	}
	switch {
	case c.putters.len() == 0:
	case c.closed:
		c.putters.wakeAll()
	case c.putters.awake == 0 && !c.full():
		c.putters.wake()
	}
	c.mu.Unlock()
}

// Close refuses new values from now on: puts return ErrClosed, those that wait
// for room included. What waits can still be taken, and leases end as ever.
// Closing twice is harmless.
func (c *Cache[K, V]) Close() {
	c.mu.Lock()
	defer c.unlock()
	c.closed = true
}
