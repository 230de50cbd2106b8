package cache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

func ExampleCache_Take() {
	c := newCache(cache.Options[string, int]{})
	go c.Put("a", 1)
	e, err := c.Take(context.Background()) // waits for it
	fmt.Println(e.Key, e.Value, err)
	c.Done(e)
	// Output: a 1 <nil>
}

func ExampleCache_TakeBatch() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.Put("b", 2)
	entries := make([]cache.Entry[string, int], 64)
	n, err := c.TakeBatch(context.Background(), entries)
	for _, e := range entries[:n] {
		fmt.Println(e.Key, e.Value)
	}
	c.Done(entries[:n]...)
	fmt.Println(err)
	// Output:
	// a 1
	// b 2
	// <nil>
}

func ExampleCache_TryTake() {
	c := newCache(cache.Options[string, int]{})
	_, ok := c.TryTake()
	fmt.Println(ok)
	// Output: false
}

// One reading of the clock for all that is done at a time, and one Entry.
func ExampleCache_TryTakeBatch() {
	c := newCache(cache.Options[string, int]{})
	now := time.Now()
	c.PutAt("a", 1, now.Add(-time.Second))
	c.PutAt("b", 2, now)
	one := make([]cache.Entry[string, int], 1)
	for c.TryTakeBatch(now, one) == 1 {
		fmt.Println(one[0].Key, one[0].Wait())
		c.Done(one...)
	}
	// Output:
	// a 1s
	// b 0s
}

func ExampleCache_Wait() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	err := c.Wait(context.Background())
	fmt.Println(c.Eligible(), err)
	// Output: 1 <nil>
}

// A leased key is not eligible.
func ExampleCache_Eligible() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.TryTake()
	c.Put("a", 2)
	c.Put("b", 1)
	fmt.Println(c.Len(), c.Eligible())
	// Output: 2 1
}

// Newer values of a leased key wait until its lease ends.
func ExampleCache_Done() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 2)
	_, ok := c.TryTake()
	fmt.Println(ok)
	c.Done(e)
	e, _ = c.TryTake()
	fmt.Println(e.Value)
	// Output:
	// false
	// 2
}

// A returned entry is merged with what has arrived since.
func ExampleCache_Return() {
	c := newCache(cache.Options[string, int]{Merge: cache.Sum[int]})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 10)
	fmt.Println(c.Return(e, 0)) // a back-off would hold it for a while
	e, _ = c.TryTake()
	fmt.Println(e.Value, e.Attempts)
	// Output:
	// true
	// 11 2
}

func ExampleCache_GiveUp() {
	c := newCache(cache.Options[string, int]{
		OnDrop: func(e cache.Entry[string, int], reason cache.Reason) {
			fmt.Println(e.Key, "is", reason)
		},
	})
	c.Put("a", 1)
	e, _ := c.TryTake()
	fmt.Println(c.GiveUp(e))
	fmt.Println(c.GiveUp(e))
	// Output:
	// a is dead
	// true
	// false
}

func ExampleEntry() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.Put("a", 2)
	e, _ := c.TryTake()
	fmt.Println(e.Key, e.Value, "merged:", e.Merged, "attempts:", e.Attempts)
	// Output: a 2 merged: 1 attempts: 1
}

func ExampleEntry_Wait() {
	c := newCache(cache.Options[string, int]{})
	now := time.Now()
	c.PutAt("a", 1, now.Add(-time.Hour))
	c.PutAt("a", 2, now.Add(-time.Minute))
	e, _ := c.TryTake()
	fmt.Println(e.Wait().Truncate(time.Hour))
	// Output: 1h0m0s
}

func ExampleEntry_Age() {
	c := newCache(cache.Options[string, int]{})
	now := time.Now()
	c.PutAt("a", 1, now.Add(-time.Hour))
	c.PutAt("a", 2, now.Add(-time.Minute))
	e, _ := c.TryTake()
	fmt.Println(e.Age().Truncate(time.Minute))
	// Output: 1m0s
}

func ExampleEntry_Inserted() {
	c := newCache(cache.Options[string, int]{})
	arrived := time.Now()
	c.PutAt("a", 1, arrived)
	e, _ := c.TryTake()
	fmt.Println(e.Inserted().Equal(arrived))
	// Output: true
}

func ExampleEntry_Newest() {
	c := newCache(cache.Options[string, int]{})
	arrived := time.Now()
	c.PutAt("a", 1, arrived.Add(-time.Second))
	c.PutAt("a", 2, arrived)
	e, _ := c.TryTake()
	fmt.Println(e.Newest().Equal(arrived))
	// Output: true
}
