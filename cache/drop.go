package cache

import (
	"fmt"
	"time"
)

// Reason says why a value was dropped.
type Reason uint8

const (
	// Evicted: the entry made room for another.
	Evicted Reason = iota + 1
	// Expired: the entry was over MaxAge.
	Expired
	// Stale: Newer told that the value is not newer than the one at hand.
	Stale
	// Annihilated: an Insert and the Delete of its key cancelled out. Both are
	// reported.
	Annihilated
	// Rejected: there was no room. A cache tells whoever puts by ErrFull; it
	// is a pipeline, which puts for others, that reports it.
	Rejected
	// Revoked: the source took back all that the entry was made of, before it
	// was processed. Nothing was acknowledged.
	Revoked
	// Dead: the entry was given up with Cache.GiveUp, or its merge panicked
	// when it was returned.
	Dead
)

var reasons = [...]string{Evicted: "evicted", Expired: "expired", Stale: "stale", Annihilated: "annihilated", Rejected: "rejected", Revoked: "revoked", Dead: "dead"}

// String returns the reason in lower case, as in metrics and logs.
func (r Reason) String() string {
	if r > 0 && int(r) < len(reasons) {
		return reasons[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// loss is what OnDrop is told when the lock is free.
type loss[K comparable, V any] struct {
	entry  Entry[K, V]
	reason Reason
}

func (c *Cache[K, V]) lose(e Entry[K, V], reason Reason) {
	if c.options.OnDrop != nil {
		c.losses = append(c.losses, loss[K, V]{e, reason})
	}
}

// drop takes the waiting head of a slot out for good.
func (c *Cache[K, V]) drop(s *slot[K, V], reason Reason, now time.Duration) {
	c.lose(c.entry(s.key, &s.head, now), reason)
	if s.extra != nil {
		c.settle(s.extra.held)
	}
	c.withdraw(s)
	c.waits(-1, -s.size())
	s.advance()
	c.next(s)
}

// evict drops the entry that has to make room, and reports whether there was
// one. It looks at every lease.
func (c *Cache[K, V]) evict(now time.Duration) bool {
	victim := c.earliest(c.drops.min(), func(s *slot[K, V]) bool { return s.head.op.droppable() })
	if victim == nil {
		return false
	}
	c.ledger.Evicted++
	c.drop(victim, Evicted, now)
	return true
}

// expire drops the eligible entries that are over age.
func (c *Cache[K, V]) expire(now time.Duration) {
	for s := c.drops.min(); s != nil && now-s.head.at > c.options.MaxAge; s = c.drops.min() {
		c.ledger.Expired++
		c.drop(s, Expired, now)
	}
}
