package cache_test

import (
	"fmt"

	"github.com/headrace/headrace/cache"
)

// quote is a price with the number that its exchange gave it.
type quote struct {
	number int
	price  float64
}

func price(q quote) float64 { return q.price }

// A source that does not keep order: what is older than what waits is dropped.
func ExampleOptions() {
	c := newCache(cache.Options[string, quote]{
		Newer: func(waiting, arriving quote) bool { return arriving.number > waiting.number },
		OnDrop: func(e cache.Entry[string, quote], reason cache.Reason) {
			fmt.Println("quote", e.Value.number, "is", reason)
		},
	})
	c.Put("ACME", quote{2, 10.2})
	c.Put("ACME", quote{1, 10.1})
	c.Put("ACME", quote{3, 10.3})
	q, _ := c.Get("ACME")
	fmt.Println("quote", q.number, "waits")
	// Output:
	// quote 1 is stale
	// quote 3 waits
}

// A bar is large, and an update changes little of it.
func ExampleOptions_mergeInto() {
	type bar struct{ low, high, last float64 }
	c := newCache(cache.Options[string, bar]{MergeInto: func(waiting, arriving *bar) {
		waiting.low = min(waiting.low, arriving.low)
		waiting.high = max(waiting.high, arriving.high)
		waiting.last = arriving.last
	}})
	for _, price := range []float64{10.2, 10.4, 10.1, 10.3} {
		c.Put("ACME", bar{price, price, price})
	}
	e, _ := c.TryTake()
	fmt.Println(e.Value, e.Merged)
	// Output: {10.1 10.4 10.3} 3
}

func ExampleOverflow() {
	for _, overflow := range []cache.Overflow{cache.Wait, cache.Reject, cache.EvictOldest} {
		c := newCache(cache.Options[string, int]{MaxEntries: 1, Overflow: overflow})
		c.Put("a", 1)
		fmt.Println(c.Put("b", 1))
	}
	// Output:
	// cache: full
	// cache: full
	// <nil>
}

func ExampleReason_String() {
	for _, reason := range []cache.Reason{
		cache.Evicted, cache.Expired, cache.Stale, cache.Annihilated, cache.Rejected, cache.Dead,
	} {
		fmt.Println(reason.String())
	}
	// Output:
	// evicted
	// expired
	// stale
	// annihilated
	// rejected
	// dead
}

// merged returns what becomes of three values of one key.
func merged[V any](merge func(waiting, arriving V) V, values ...V) V {
	c := newCache(cache.Options[string, V]{Merge: merge})
	for _, v := range values {
		c.Put("a", v)
	}
	v, _ := c.Get("a")
	return v
}

func ExampleLatest() {
	fmt.Println(merged(cache.Latest[int], 2, 1, 3))
	// Output: 3
}

func ExampleFirst() {
	fmt.Println(merged(cache.First[int], 2, 1, 3))
	// Output: 2
}

func ExampleMin() {
	fmt.Println(merged(cache.Min[int], 2, 1, 3))
	// Output: 1
}

func ExampleMax() {
	fmt.Println(merged(cache.Max[int], 2, 3, 1))
	// Output: 3
}

func ExampleSum() {
	fmt.Println(merged(cache.Sum[int], 2, 1, 3))
	// Output: 6
}

func ExampleMinBy() {
	fmt.Println(merged(cache.MinBy(price), quote{1, 10.2}, quote{2, 10.1}, quote{3, 10.3}))
	// Output: {2 10.1}
}

func ExampleMaxBy() {
	fmt.Println(merged(cache.MaxBy(price), quote{1, 10.2}, quote{2, 10.3}, quote{3, 10.1}))
	// Output: {2 10.3}
}
