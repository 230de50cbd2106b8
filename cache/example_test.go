package cache_test

import (
	"context"
	"fmt"

	"github.com/headrace/headrace/cache"
)

// A consumer that wants the sum of the orders of each symbol.
func Example() {
	c, err := cache.New(cache.Options[string, int]{Merge: cache.Sum[int]})
	if err != nil {
		panic(err)
	}
	c.Put("ACME", 100)
	c.Put("INIT", 30)
	c.Put("ACME", 50) // merged, and still first
	c.Close()         // no more orders: Take ends when nothing is left
	for {
		e, err := c.Take(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Key, e.Value)
		c.Done(e)
	}
	// Output:
	// ACME 150
	// INIT 30
	// cache: closed
}

// newCache is New for options that are known to be right.
func newCache[K comparable, V any](o cache.Options[K, V]) *cache.Cache[K, V] {
	c, err := cache.New(o)
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleNew() {
	_, err := cache.New(cache.Options[string, int]{MaxEntries: -1})
	fmt.Println(err)
	// Output: cache: MaxEntries must not be negative, got -1
}

func ExampleCache() {
	c := newCache(cache.Options[string, float64]{}) // keeps the latest value of each key
	c.Put("ACME", 10.1)
	c.Put("ACME", 10.2)
	e, _ := c.TryTake()
	fmt.Println(e.Value, e.Merged)
	// Output: 10.2 1
}

func ExampleCache_Close() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.Close()
	fmt.Println(c.Put("a", 2) == cache.ErrClosed)
	e, _ := c.TryTake()
	fmt.Println(e.Value)
	// Output:
	// true
	// 1
}

func ExampleCache_Ledger() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.Put("a", 2)
	c.Put("b", 1)
	var l cache.Ledger = c.Ledger()
	fmt.Println(l.Puts, "=", l.Inserted, "+", l.Merged)
	fmt.Println(l.Waiting, "wait")
	// Output:
	// 3 = 2 + 1
	// 2 wait
}

func ExampleLedger_Check() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	l := c.Ledger()
	fmt.Println(l.Check())
	l.Merged++
	fmt.Println(l.Check() != nil)
	// Output:
	// <nil>
	// true
}
