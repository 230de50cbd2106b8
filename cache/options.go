package cache

import (
	"fmt"
	"time"
)

// Options configures a Cache. The zero value keeps the latest value of every
// key, without bounds. Whatever the bounds, up to 16,384 records of keys of which
// nothing waits any more stay, the keys included, without their values.
type Options[K comparable, V any] struct {
	// Merge combines a value that waits with one that arrives for the same
	// key. It must be associative and pure: it runs under the cache's lock.
	// A panic in it reaches the caller and leaves the cache as it was.
	// Nil keeps the latest value.
	Merge func(waiting, arriving V) V

	// MergeInto is a Merge that changes *waiting, set instead of that. All that is
	// said of Merge holds for it. It spares the copies of a call by value, a quarter
	// of a merge of 64 bytes, and more of larger values. It must keep neither
	// pointer, and change nothing that the two values point to.
	MergeInto func(waiting, arriving *V)

	// Replaces declares that Merge keeps nothing of the older value. It is
	// true by itself for a nil Merge.
	Replaces bool

	// Newer reports whether arriving is newer than waiting, for sources that
	// do not keep order. Under a merge that replaces, a value that is not
	// newer than the one that waits or is leased is dropped as Stale; under
	// any other the two are merged in the order that Newer tells. It runs
	// under the cache's lock and must be pure. It knows nothing of values
	// that are done, and Append ignores it. Nil trusts the order of arrival.
	Newer func(waiting, arriving V) bool

	// HeadStart places an entry as if it had arrived that much earlier, so
	// that it goes first and nothing starves. It is asked once, for the first
	// value of an entry, under the cache's lock, and must be pure. Age and
	// eviction go by the true arrival. Nil gives nobody a head start.
	HeadStart func(key K, value V) time.Duration

	// Annihilate lets an Insert that nobody has been handed and the Delete of
	// its key cancel out. Off, the consumer gets the Delete.
	Annihilate bool

	// MaxEntries bounds the waiting entries. A value that merges is accepted
	// all the same, and so are a delete and a returned entry.
	// Default 0: no bound but the number of distinct keys.
	MaxEntries int

	// MaxBytes bounds the sum of SizeOf over the waiting entries, in whatever
	// unit SizeOf has. An entry is measured again after a merge. What may
	// always come in is as for MaxEntries; appended values count, but are
	// bounded by MaxEntries only; and a lone entry fits whatever its size.
	// Default 0: no bound.
	MaxBytes int64
	// SizeOf measures an entry. It must be set with MaxBytes, be pure and not
	// negative; it runs under the cache's lock.
	SizeOf func(key K, value V) int64

	// Overflow says what becomes of a new entry at a bound. Default Wait.
	Overflow Overflow

	// MaxAge is how long an entry may be eligible and wait, counted from the
	// arrival of its first value: an update does not reset it. It is looked at
	// when something is taken or Eligible is asked. Default 0: no limit.
	MaxAge time.Duration
	// Expiry says what happens to an entry over MaxAge. Default EmitNow.
	Expiry Expiry

	// OnDrop is told of every value that is dropped and will reach no
	// consumer. It runs on the goroutine that caused the drop, outside the
	// lock. Nil counts the drops in the Ledger only.
	OnDrop func(entry Entry[K, V], reason Reason)
}

// Overflow says what becomes of a new entry when the cache is at a bound.
type Overflow uint8

const (
	// Wait lets PutWait wait for room; Put refuses with ErrFull.
	Wait Overflow = iota
	// Reject makes PutWait refuse with ErrFull too.
	Reject
	// EvictOldest drops the entry that arrived first, and more of them if
	// MaxBytes needs it, also when a merge outgrows that; then it may be the
	// merged entry itself. It looks at every lease, and never drops a Delete, a
	// Replace or an Append; with nothing else first in the line of a key it
	// refuses with ErrFull, though it may have dropped some by then.
	EvictOldest
)

// Expiry says what happens to an eligible entry over MaxAge.
type Expiry uint8

const (
	// EmitNow makes it Overdue: a pipeline emits it without regard to the pace.
	EmitNow Expiry = iota
	// Drop drops it as Expired, unless it is a Delete, a Replace or an Append.
	Drop
)

func (o Options[K, V]) validate() error {
	switch {
	case o.Merge != nil && o.MergeInto != nil:
		return fmt.Errorf("cache: Merge and MergeInto must not both be set")
	case o.MaxEntries < 0:
		return fmt.Errorf("cache: MaxEntries must not be negative, got %d", o.MaxEntries)
	case o.MaxBytes < 0:
		return fmt.Errorf("cache: MaxBytes must not be negative, got %d", o.MaxBytes)
	case o.MaxBytes > 0 && o.SizeOf == nil:
		return fmt.Errorf("cache: MaxBytes needs SizeOf, which is nil")
	case o.Overflow > EvictOldest:
		return fmt.Errorf("cache: Overflow must be Wait, Reject or EvictOldest, got %d", o.Overflow)
	case o.Overflow != Wait && o.MaxEntries == 0 && o.MaxBytes == 0:
		return fmt.Errorf("cache: Overflow needs MaxEntries or MaxBytes, which are 0")
	case o.MaxAge < 0:
		return fmt.Errorf("cache: MaxAge must not be negative, got %v", o.MaxAge)
	case o.Expiry > Drop:
		return fmt.Errorf("cache: Expiry must be EmitNow or Drop, got %d", o.Expiry)
	case o.Expiry != EmitNow && o.MaxAge == 0:
		return fmt.Errorf("cache: Expiry needs MaxAge, which is 0")
	}
	return nil
}
