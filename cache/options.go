package cache

import "fmt"

// Options configures a Cache. The zero value keeps the latest value of every
// key, without bounds.
type Options[K comparable, V any] struct {
	// Merge combines a value that waits with one that arrives for the same
	// key. It must be associative and pure: it runs under the cache's lock.
	// A panic in it reaches the caller and leaves the cache as it was.
	// Nil keeps the latest value.
	Merge func(waiting, arriving V) V

	// Replaces declares that Merge keeps nothing of the older value. It is
	// true by itself for a nil Merge.
	Replaces bool

	// Newer reports whether arriving is newer than waiting, for sources that
	// do not keep order. Under a merge that replaces, a value that is not
	// newer than the one that waits or is leased is dropped as Stale; under
	// any other the two are merged in the order that Newer tells. It runs
	// under the cache's lock and must be pure. It knows nothing of values
	// that are done. Nil trusts the order of arrival.
	Newer func(waiting, arriving V) bool

	// MaxEntries bounds the waiting entries. A value for a key that waits is
	// accepted all the same, and so is a returned entry.
	// Default 0: no bound but the number of distinct keys.
	MaxEntries int

	// Overflow says what becomes of a new entry at the bound. Default Wait.
	Overflow Overflow

	// OnDrop is told of every value that is dropped and will reach no
	// consumer. It runs on the goroutine that caused the drop, outside the
	// lock. Nil counts the drops in the Ledger only.
	OnDrop func(entry Entry[K, V], reason Reason)
}

// Overflow says what becomes of a new entry when MaxEntries wait.
type Overflow uint8

const (
	// Wait lets PutWait wait for room; Put refuses with ErrFull.
	Wait Overflow = iota
	// Reject makes PutWait refuse with ErrFull too.
	Reject
	// EvictOldest drops the entry that has waited longest.
	EvictOldest
)

// Reason says why a value was dropped.
type Reason uint8

const (
	// Evicted: the entry made room for a new one.
	Evicted Reason = iota + 1
	// Stale: Newer told that the value is not newer than the one at hand.
	Stale
	// Dead: the entry was given up with Cache.GiveUp, or its merge panicked
	// when it was returned.
	Dead
)

// String returns the reason in lower case, as in metrics and logs.
func (r Reason) String() string {
	switch r {
	case Evicted:
		return "evicted"
	case Stale:
		return "stale"
	case Dead:
		return "dead"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

func (o Options[K, V]) validate() error {
	if o.MaxEntries < 0 {
		return fmt.Errorf("cache: MaxEntries must not be negative, got %d", o.MaxEntries)
	}
	if o.Overflow > EvictOldest {
		return fmt.Errorf("cache: Overflow must be Wait, Reject or EvictOldest, got %d", o.Overflow)
	}
	if o.Overflow != Wait && o.MaxEntries == 0 {
		return fmt.Errorf("cache: Overflow needs MaxEntries, which is 0")
	}
	return nil
}
