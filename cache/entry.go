package cache

import "time"

// Entry is what waits for one key, as its consumer gets it: the merged value
// and what there is to know of its making.
type Entry[K comparable, V any] struct {
	Key   K
	Value V
	// Op says what the entry does to its key. For a pipeline whose values are
	// all upserts it is always Upsert.
	Op Op

	// Merged counts the values that were merged into the first: 0 when the
	// value came through alone. It is a count of 32 bits.
	Merged int
	// Attempts counts the leases of this entry, the present one included. A
	// returned entry that became one with a newer one keeps its attempts. The
	// count stops at 65,535.
	Attempts int
	// First and Last are the lowest and the highest source sequence number
	// among the merged values; 0 when the source gives none.
	First, Last uint64

	// Taken is when the entry was leased, or read by All. In an entry dropped
	// as Evicted, Stale or Annihilated it is the arrival of the value that
	// caused the drop.
	Taken time.Time

	wait, age, lead time.Duration // not clamped, so that Return finds its way back
	sequence        uint64
	lease           uint32 // number of the lease of the slot, which can be ended only once
	slot            *slot[K, V]
	owner           *Cache[K, V] // nil unless leased
	held            *held
}

// Wait returns the time from the arrival of the first merged value to Taken.
func (e *Entry[K, V]) Wait() time.Duration { return max(0, e.wait) }

// Age returns the time from the arrival of the newest merged value to Taken.
func (e *Entry[K, V]) Age() time.Duration { return max(0, e.age) }

// Inserted returns when the first merged value arrived. With the head start it
// gives the entry its position.
func (e *Entry[K, V]) Inserted() time.Time { return e.Taken.Add(-e.wait) }

// Newest returns when the newest merged value arrived.
func (e *Entry[K, V]) Newest() time.Time { return e.Taken.Add(-e.age) }

// entry makes an Entry of what waits, as of now.
func (c *Cache[K, V]) entry(key K, i *item[V], now time.Duration) (e Entry[K, V]) {
	c.fill(&e, key, i, now, c.base.Add(now))
	return e
}

// fill writes what waits into an Entry, as of now, all but the lease. An Entry
// is large: it is written once, where it is to be.
func (c *Cache[K, V]) fill(e *Entry[K, V], key K, i *item[V], now time.Duration, taken time.Time) {
	e.Key, e.Value, e.Op = key, i.value, i.op
	e.Merged, e.Attempts = int(i.merged), int(i.attempts)
	e.First, e.Last = i.first, i.last
	e.Taken = taken
	e.wait, e.age, e.lead = now-i.at, now-i.newest, i.lead
	e.sequence = i.sequence
}
