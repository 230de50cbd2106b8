package cache_test

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

// Alarms go first, as if they had arrived a second earlier. What has waited
// longer than that goes before them, so nothing starves.
func ExampleOptions_headStart() {
	c := newCache(cache.Options[string, string]{
		HeadStart: func(_, value string) time.Duration {
			if value == "alarm" {
				return time.Second
			}
			return 0
		},
	})
	now := time.Now()
	c.PutAt("boiler", "warm", now.Add(-3*time.Second))
	c.PutAt("cellar", "dry", now)
	c.PutAt("attic", "alarm", now.Add(time.Millisecond))
	for c.Len() > 0 {
		e, _ := c.TryTake()
		fmt.Println(e.Key, e.Value)
		c.Done(e)
	}
	// Output:
	// boiler warm
	// attic alarm
	// cellar dry
}

// A consumer that keeps a pace, but not at the price of entries over age.
func ExampleCache_Overdue() {
	c := newCache(cache.Options[string, int]{MaxAge: time.Minute, Expiry: cache.EmitNow})
	c.PutAt("a", 1, time.Now().Add(-time.Hour))
	c.Put("b", 2)
	for c.Overdue() {
		e, _ := c.TryTake()
		fmt.Println(e.Key)
		c.Done(e)
	}
	// Output: a
}

// With head starts the oldest entry is not the next one.
func ExampleCache_TryTakeOverdue() {
	c := newCache(cache.Options[string, int]{
		MaxAge:    time.Minute,
		HeadStart: func(_ string, v int) time.Duration { return time.Duration(v) * time.Hour },
	})
	c.PutAt("old", 0, time.Now().Add(-2*time.Minute))
	c.Put("high", 1)
	e, ok := c.TryTakeOverdue()
	fmt.Println(e.Key, ok)
	_, ok = c.TryTakeOverdue()
	fmt.Println(ok)
	// Output:
	// old true
	// false
}

func ExampleExpiry() {
	c := newCache(cache.Options[string, int]{
		MaxAge: time.Minute,
		Expiry: cache.Drop,
		OnDrop: func(e cache.Entry[string, int], reason cache.Reason) { fmt.Println(e.Key, "is", reason) },
	})
	c.PutAt("old", 1, time.Now().Add(-time.Hour))
	c.Put("new", 2)
	e, _ := c.TryTake()
	fmt.Println("took", e.Key)
	// Output:
	// old is expired
	// took new
}

// A bound in bytes. The update is accepted and outgrows it, so the oldest goes.
func ExampleOptions_maxBytes() {
	c := newCache(cache.Options[string, string]{
		Merge:    cache.Sum[string],
		MaxBytes: 10,
		SizeOf:   func(key, value string) int64 { return int64(len(key) + len(value)) },
		Overflow: cache.EvictOldest,
		OnDrop:   func(e cache.Entry[string, string], reason cache.Reason) { fmt.Println(e.Key, "is", reason) },
	})
	c.Put("a", "1234")
	c.Put("b", "12")
	c.Put("b", "3456")
	fmt.Println(c.Ledger().Bytes, "bytes wait")
	// Output:
	// a is evicted
	// 7 bytes wait
}

// A lease that has been open for long may be one that its consumer has lost.
func ExampleCache_OldestLease() {
	c := newCache(cache.Options[string, int]{})
	fmt.Println(c.OldestLease())
	c.Put("a", 1)
	c.TryTake()
	fmt.Println(c.OldestLease() >= 0)
	// Output:
	// 0s
	// true
}
