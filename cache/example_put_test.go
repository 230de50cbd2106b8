package cache_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

func ExampleCache_Put() {
	c := newCache(cache.Options[string, int]{MaxEntries: 1})
	fmt.Println(c.Put("a", 1))
	fmt.Println(c.Put("a", 2)) // waits already
	fmt.Println(c.Put("b", 1))
	// Output:
	// <nil>
	// <nil>
	// cache: full
}

func ExampleCache_PutAt() {
	c := newCache(cache.Options[string, int]{})
	now := time.Now()
	c.PutAt("late", 1, now)
	c.PutAt("early", 1, now.Add(-time.Second))
	e, _ := c.TryTake()
	fmt.Println(e.Key)
	// Output: early
}

func ExampleCache_Admit() {
	c := newCache(cache.Options[string, int]{})
	for sequence := range uint64(3) {
		c.Admit(cache.Arrival[string, int]{Key: "a", Value: 7, Sequence: 40 + sequence})
	}
	e, _ := c.TryTake()
	fmt.Println(e.First, e.Last)
	// Output: 40 42
}

func ExampleArrival() {
	a := cache.Arrival[string, int]{
		Key:      "a",
		Value:    1,
		At:       time.Now(), // when it came from the network
		Sequence: 17,         // as its source counts
	}
	c := newCache(cache.Options[string, int]{})
	fmt.Println(c.Admit(a))
	// Output: <nil>
}

func ExampleCache_PutWait() {
	c := newCache(cache.Options[string, int]{MaxEntries: 1})
	c.Put("a", 1)
	go func() {
		e, _ := c.Take(context.Background())
		c.Done(e)
	}()
	fmt.Println(c.PutWait(context.Background(), "b", 1)) // when a has been taken
	// Output: <nil>
}

func ExampleCache_AdmitWait() {
	c := newCache(cache.Options[string, int]{MaxEntries: 1})
	c.Put("a", 1)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := c.AdmitWait(ctx, cache.Arrival[string, int]{Key: "b", Value: 1})
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output: true
}

// The values of a batch that finds no room wait, or are refused.
func ExampleCache_AdmitBatch() {
	c := newCache(cache.Options[string, int]{MaxEntries: 2, Overflow: cache.Reject})
	n, _, err := c.AdmitBatch(context.Background(), []cache.Arrival[string, int]{
		{Key: "a", Value: 1},
		{Key: "b", Value: 2},
		{Key: "a", Value: 3}, // merges
		{Key: "c", Value: 4},
	})
	fmt.Println(n, err)
	// Output: 3 cache: full
}

func ExampleErrFull() {
	c := newCache(cache.Options[string, int]{MaxEntries: 1})
	c.Put("a", 1)
	fmt.Println(errors.Is(c.Put("b", 1), cache.ErrFull))
	// Output: true
}

func ExampleErrClosed() {
	c := newCache(cache.Options[string, int]{})
	c.Close()
	_, err := c.Take(context.Background())
	fmt.Println(errors.Is(err, cache.ErrClosed))
	// Output: true
}
