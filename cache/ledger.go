package cache

import "fmt"

// Ledger counts what became of every value and every entry. Two sums hold at
// every instant, so that nothing is lost without a trace:
//
//	Puts     = Inserted + Merged + Stale + Annihilated + Rejected
//	Inserted = Done + Dead + Evicted + Expired + Annihilated + Revoked + Joined + Waiting + Leased
//
// A put is counted when it returns. One whose Merge panicked is not counted.
type Ledger struct {
	Puts        uint64 // values handed to the cache
	Inserted    uint64 // values that made a new entry
	Merged      uint64 // values merged into a waiting entry
	Stale       uint64 // values that Newer told to be out of date
	Annihilated uint64 // deletes, and as many entries, that cancelled out
	Rejected    uint64 // values refused: ErrFull, ErrClosed, ErrKey or a cancelled wait

	Done    uint64 // entries processed
	Dead    uint64 // entries given up
	Evicted uint64 // entries that made room for others
	Expired uint64 // entries dropped for their age
	Revoked uint64 // entries that the source took back
	Joined  uint64 // returned entries that became one with a waiting one
	Waiting uint64 // entries that wait now
	Leased  uint64 // entries that are leased now

	Bytes int64 // sum of SizeOf over the waiting entries now; 0 without SizeOf
}

// Check returns an error that names the sum that does not hold, or nil.
func (l Ledger) Check() error {
	if got := l.Inserted + l.Merged + l.Stale + l.Annihilated + l.Rejected; got != l.Puts {
		return fmt.Errorf("cache: ledger: %d puts, but inserted + merged + stale + annihilated + rejected = %d in %+v", l.Puts, got, l)
	}
	if got := l.Done + l.Dead + l.Evicted + l.Expired + l.Annihilated + l.Revoked + l.Joined + l.Waiting + l.Leased; got != l.Inserted {
		return fmt.Errorf("cache: ledger: %d inserted, but done + dead + evicted + expired + annihilated + revoked + joined + waiting + leased = %d in %+v", l.Inserted, got, l)
	}
	return nil
}

// Ledger returns the counts as of one instant.
func (c *Cache[K, V]) Ledger() Ledger {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ledger
}

// waits notes that entries began or ceased to wait.
func (c *Cache[K, V]) waits(entries int, bytes int64) {
	c.ledger.Waiting += uint64(entries)
	c.ledger.Bytes += bytes
}
