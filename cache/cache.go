package cache

import (
	"reflect"
	"runtime"
	"sync"
	"time"
)

// Cache is a keyed coalescing cache: at most one waiting entry per key, oldest
// first. A value for a key that still waits is merged into its entry, which
// keeps its position. An entry that is taken is leased: until the lease ends
// its key is not handed out again, and newer values of the key wait.
//
// It keeps the records of up to 16,384 keys, the keys included, of which
// nothing waits any more: a key that comes again is then served in half the
// time. No value outlives its entry.
//
// A Cache is made by New; the zero value must not be used.
//
// All methods are safe for concurrent use. Those without a context never
// block but for the cache's one mutex.
type Cache[K comparable, V any] struct {
	options Options[K, V]
	base    time.Time // times in the cache are durations since then
	odd     bool      // keys may not be equal to themselves, or not hashable
	alone   bool      // nothing else can run meanwhile: there is one processor

	mu        sync.Mutex
	ways      ways
	lastAt    time.Time     // of the last value that came with a time of arrival
	lastSince time.Duration // the same in the cache's terms
	slots     table[K, V]
	eligible  *order[K, V]
	ages      *order[K, V] // nil without HeadStart
	drops     *order[K, V] // nil if nothing is evicted or dropped for its age
	leases    leases[K, V]
	resident  seats[K, V]
	delays    delays[K, V]
	inPlace   inPlace[V]
	losses    []loss[K, V] // to be reported when the lock is free
	acks      []Receipt    // to be given then
	touched   state        // of no use, see ahead
	sequence  uint64       // of the newest insertion
	closed    bool
	ledger    Ledger
	takers    waiters // wait for an eligible entry
	putters   waiters // wait for room
}

// New returns an empty cache, or an error that names the field at fault.
func New[K comparable, V any](o Options[K, V]) (*Cache[K, V], error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	c := &Cache[K, V]{
		ways:     o.ways(),
		odd:      odd(reflect.TypeFor[K]()),
		alone:    runtime.GOMAXPROCS(0) == 1,
		base:     time.Now(),
		slots:    newTable[K, V](),
		eligible: newOrder[K, V](nextFirst),
		delays:   newDelays[K, V](),
		inPlace:  newInPlace(o.MergeInto),
	}
	c.rebase(c.lastAt) // the zero time, which lies before all others
	switch {
	case o.MergeInto != nil:
		o.Merge = c.inPlace.combine
	case o.Merge == nil:
		o.Merge, o.Replaces = Latest[V], true
	}
	if o.HeadStart != nil {
		c.ages = newOrder[K, V](oldestFirst)
	}
	if o.Overflow == EvictOldest || o.Expiry == Drop {
		c.drops = newOrder[K, V](droppableFirst)
	}
	c.options = o
	return c, nil
}

// now reads the monotonic clock.
func (c *Cache[K, V]) now() time.Duration { return time.Since(c.base) }

// Close refuses new values from now on: puts return ErrClosed, those that wait
// for room included. What waits can still be taken, and leases end as ever.
// Closing twice is harmless.
func (c *Cache[K, V]) Close() {
	c.mu.Lock()
	defer c.unlock()
	c.closed = true
	c.ways = ways{}
}

// finished reports whether no entry can come any more.
func (c *Cache[K, V]) finished() bool {
	return c.closed && c.ledger.Waiting == 0 && c.ledger.Leased == 0
}
