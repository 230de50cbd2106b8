// Package cache is a keyed coalescing cache. It stands between producers that
// are fast and consumers that are slow, and holds at most one waiting entry per
// key.
//
// # Position
//
// An entry has the position of the first value that was put for its key: its
// time of arrival, and among equal times the order of insertion. Entries are
// taken oldest first. A value that arrives for a key that still waits is merged
// into its entry, which keeps its position. So a key that is updated a thousand
// times as often as another waits no longer and no shorter, and the wait of
// each is at most the entries ahead of it divided by the rate of the consumer.
//
// # Merge
//
// [Options].Merge combines the waiting value with the arriving one. Without it
// the latest value wins. [First], [Min], [Max], [MinBy] and [MaxBy] choose one
// of the two. [Sum] makes an increment: it starts again after its entry was
// taken. A merge field by field is an example below. [Options].MergeInto merges
// in place, which is faster. Sources that do not keep order set [Options].Newer.
// Package cachetest has a test for merges of one's own.
//
// # Operations
//
// An entry is an [Upsert] unless its source says otherwise. A [Delete] is a
// tombstone: it takes the place of what waits and is handed to the consumer in
// its turn. An upsert on top of it makes a [Replace], and values never merge
// across a delete. An [Insert] is an upsert of a key that is new: with
// [Options].Annihilate it and a delete that finds it waiting, and never handed
// out, cancel out. An [Append] is a value that must not be conflated, as a
// trade: it queues behind what waits for its key, and seals it.
//
// What becomes of the last waiting entry of a key, by row, when a value
// arrives, by column; + merges the two values, else the arriving one counts,
// and - makes a line of two entries:
//
//	waiting | upsert   | insert   | replace | delete | append
//	nothing | upsert   | insert   | replace | delete | append
//	upsert  | upsert+  | upsert+  | replace | delete | -
//	insert  | insert+  | insert+  | replace | delete | -
//	replace | replace+ | replace+ | replace | delete | -
//	delete  | replace  | replace  | replace | delete | -
//	append  | -        | -        | -       | -      | -
//
// A returned entry, as the row, and the first that waits behind it, as the
// column, go by the same table.
//
// # Lease
//
// [Cache.Take], [Cache.TakeBatch] and [Cache.TryTake] lease a key to their
// caller. Until the lease ends nobody else gets the key, and what arrives for
// it waits and merges behind the lease. [Cache.Done] ends a lease.
// [Cache.Return] puts the entry back at its old position, at once or after a
// back-off, and merges it with what has arrived since. [Cache.GiveUp] drops it.
// An entry is a plain value: ending its lease twice does nothing.
//
// # Priority and age
//
// [Options].HeadStart places an entry as if it had arrived that much earlier.
// High-value entries go first, and nothing starves: what has waited longer than
// the head start goes before them. Age and eviction go by the true arrival.
//
// [Options].MaxAge bounds the time that an eligible entry waits, from its first
// value. An entry over it is either [Cache.Overdue], for a consumer that keeps
// a pace to emit at once, or dropped as [Expired].
//
// # Bounds
//
// The number of distinct keys, and of appended values, bounds the cache by
// itself. MaxEntries bounds the waiting entries and MaxBytes their size: at a
// bound a new entry waits ([Cache.PutWait]), is refused ([ErrFull]) or pushes
// out the oldest one ([EvictOldest]). A value for a key that waits always fits,
// and so do a delete and a returned entry. Deletes, replaces and appended
// values are never pushed out and never dropped for their age. After a peak the
// memory comes back.
//
// # Ledger
//
// [Cache.Ledger] tells what became of every value. Its two sums hold at every
// instant, so a value that was merged by design is never mistaken for one that
// was lost. [Options].OnDrop is told of each one that was. A [Receipt] tells the
// source of a value when it needs no more.
//
// # Cost
//
// A merge costs a mutex and a map look-up, some 35 ns on a virtual machine of
// 2024; a put, a take and a done together cost some 100 ns, and less in batches.
// None allocates while keys recur. A waiting key takes some 140 bytes beside key
// and value, and 90 more with head starts, eviction or dropping for age. The
// cache starts no goroutine, reads the clock at most once per operation that
// does not wait (not at all in [Cache.PutAt], [Cache.TryTakeBatch] and
// [Cache.Done]). A key whose last entry has ended leaves no value, but its record
// and the key itself may stay: those of up to 16,384 keys, so that one that recurs
// is served in half the time. A key must equal itself, which a floating-point NaN
// does not: it gives [ErrKey].
//
// # Example
//
// A consumer that wants the sum of the orders of each symbol:
//
//	c, err := cache.New(cache.Options[string, int]{Merge: cache.Sum[int]})
//	if err != nil {
//		panic(err)
//	}
//	c.Put("ACME", 100)
//	c.Put("INIT", 30)
//	c.Put("ACME", 50) // merged, and still first
//	c.Close()         // no more orders: Take ends when nothing is left
//	for {
//		e, err := c.Take(context.Background())
//		if err != nil {
//			fmt.Println(err)
//			return
//		}
//		fmt.Println(e.Key, e.Value)
//		c.Done(e)
//	}
//
// It runs as the example of the package.
package cache
