package cache_test

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
)

func ExampleCache_Get() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	v, ok := c.Get("a")
	fmt.Println(v, ok)
	c.TryTake()
	v, ok = c.Get("a") // it is with its consumer now
	fmt.Println(v, ok)
	// Output:
	// 1 true
	// 0 false
}

func ExampleCache_Len() {
	c := newCache(cache.Options[string, int]{})
	c.Put("a", 1)
	c.Put("a", 2)
	c.Put("b", 1)
	fmt.Println(c.Len())
	// Output: 2
}

func ExampleCache_All() {
	c := newCache(cache.Options[string, int]{})
	c.Put("b", 1)
	c.Put("a", 2)
	for e := range c.All() {
		fmt.Println(e.Key, e.Value)
	}
	// Output:
	// b 1
	// a 2
}

func ExampleCache_OldestAge() {
	c := newCache(cache.Options[string, int]{})
	c.PutAt("a", 1, time.Now().Add(-time.Hour))
	fmt.Println(c.OldestAge().Truncate(time.Hour))
	// Output: 1h0m0s
}
