package cache_test

import (
	"fmt"
	"math"

	"github.com/headrace/headrace/cache"
)

// tick is what a market sends: a quote, of which the latest counts, or a
// trade, of which each one does.
type tick struct {
	price  float64
	volume int // of a trade; 0 in a quote
}

func (t tick) op() cache.Op {
	if t.volume > 0 {
		return cache.Append
	}
	return cache.Upsert
}

// Trades and quotes of a symbol in one cache: a quote never overtakes a trade,
// and a trade is never conflated, while quotes between two trades are.
func Example_trades() {
	c := newCache(cache.Options[string, tick]{})
	for _, t := range []tick{{10.1, 0}, {10.2, 0}, {10.2, 500}, {10.2, 300}, {10.3, 0}, {10.4, 0}} {
		c.Admit(cache.Arrival[string, tick]{Key: "ACME", Value: t, Op: t.op()})
	}
	for c.Len() > 0 {
		e, _ := c.TryTake()
		fmt.Println(e.Op, e.Value.price, e.Value.volume)
		c.Done(e)
	}
	// Output:
	// upsert 10.2 0
	// append 10.2 500
	// append 10.2 300
	// upsert 10.4 0
}

// position is a row of which a source sends the fields that have changed; nil
// for those that have not.
type position struct {
	quantity *int
	price    *float64
	trader   *string
}

// mergeFields keeps the newest of each field. It makes a new value of the two,
// and does not write through their pointers.
func mergeFields(waiting, arriving position) position {
	return position{
		quantity: newest(waiting.quantity, arriving.quantity),
		price:    newest(waiting.price, arriving.price),
		trader:   newest(waiting.trader, arriving.trader),
	}
}

func newest[T any](waiting, arriving *T) *T {
	if arriving != nil {
		return arriving
	}
	return waiting
}

// A recipe: merge field by field. The consumer merges what it is handed into
// its own row by the same function, so it ends up the same however many changes
// became one. A Replace says that the row was deleted meanwhile: then it starts
// from an empty one. cachetest.TestMerge shows that such a merge keeps its laws.
func Example_fields() {
	c := newCache(cache.Options[int, position]{Merge: mergeFields})
	quantity, price, trader := 100, 10.1, "Ada"
	c.Put(7, position{quantity: &quantity, trader: &trader})
	c.Put(7, position{price: &price})
	less := 40
	c.Put(7, position{quantity: &less})

	e, _ := c.TryTake()
	fmt.Println(*e.Value.quantity, *e.Value.price, *e.Value.trader)
	// Output: 40 10.1 Ada
}

func ExampleCache_Delete() {
	c := newCache(cache.Options[string, int]{MaxEntries: 1, Merge: cache.Sum[int]})
	c.Put("a", 1)
	c.Delete("b", 0) // fits at the bound
	c.Delete("a", 0)
	c.Put("a", 5) // not 6: values never merge across a delete
	for c.Len() > 0 {
		e, _ := c.TryTake()
		fmt.Println(e.Op, e.Key, e.Value)
		c.Done(e)
	}
	// Output:
	// replace a 5
	// delete b 0
}

func ExampleCache_Append() {
	c := newCache(cache.Options[string, string]{Merge: cache.Sum[string]})
	c.Put("a", "1")
	c.Put("a", "2")
	c.Append("a", "3") // seals what waits
	c.Put("a", "4")
	c.Put("a", "5")
	for e := range c.All() {
		fmt.Println(e.Op, e.Value)
	}
	// Output:
	// upsert 12
	// append 3
	// upsert 45
}

// What becomes of a waiting entry when a value arrives.
func ExampleOp() {
	all := []cache.Op{cache.Upsert, cache.Insert, cache.Replace, cache.Delete, cache.Append}
	for _, waiting := range all {
		for _, arriving := range all {
			c := newCache(cache.Options[string, int]{})
			c.Admit(cache.Arrival[string, int]{Key: "a", Op: waiting})
			c.Admit(cache.Arrival[string, int]{Key: "a", Op: arriving})
			if e, _ := c.TryTake(); c.Len() == 0 {
				fmt.Printf("%-8v", e.Op)
			} else {
				fmt.Printf("%-8s", "-") // a line of two entries
			}
		}
		fmt.Println("on", waiting)
	}
	// Output:
	// upsert  upsert  replace delete  -       on upsert
	// insert  insert  replace delete  -       on insert
	// replace replace replace delete  -       on replace
	// replace replace replace delete  -       on delete
	// -       -       -       -       -       on append
}

func ExampleOp_String() {
	fmt.Println(cache.Delete.String())
	// Output: delete
}

// An order that is opened and cancelled before anybody has seen it.
func ExampleOptions_annihilate() {
	c := newCache(cache.Options[int, string]{
		Annihilate: true,
		OnDrop: func(e cache.Entry[int, string], reason cache.Reason) {
			fmt.Println(e.Op, "of", e.Value, "is", reason)
		},
	})
	c.Admit(cache.Arrival[int, string]{Key: 1, Value: "order 1", Op: cache.Insert})
	c.Delete(1, "order 1")
	fmt.Println(c.Len(), "wait")
	// Output:
	// insert of order 1 is annihilated
	// delete of order 1 is annihilated
	// 0 wait
}

func ExampleErrKey() {
	c := newCache(cache.Options[float64, int]{})
	fmt.Println(c.Put(math.NaN(), 1) == cache.ErrKey, c.Len())
	// Output: true 0
}
