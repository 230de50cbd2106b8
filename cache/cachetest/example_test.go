package cachetest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/cache/cachetest"
)

// Quote is a price on each side of the market; 0 where it has not changed.
type Quote struct{ Bid, Ask int }

// MergeQuotes keeps the newest of each side.
func MergeQuotes(waiting, arriving Quote) Quote {
	if arriving.Bid == 0 {
		arriving.Bid = waiting.Bid
	}
	if arriving.Ask == 0 {
		arriving.Ask = waiting.Ask
	}
	return arriving
}

// printer stands for the *testing.T of a test that fails.
type printer struct{ testing.TB }

func (printer) Helper()           {}
func (printer) Fatal(args ...any) { fmt.Println(args...) }

// A merge of quotes that may come with one side only, and the consumer that
// keeps both. The first law is right, and says nothing; the second forgets that
// an arriving quote may have no ask.
func ExampleTestMerge() {
	t := printer{} // in a test: func TestMergeQuotes(t *testing.T)
	law := cachetest.Law[Quote, Quote]{
		Merge: MergeQuotes,
		Apply: MergeQuotes, // what the consumer does with its last quote
		Value: func(rng *rand.Rand) Quote {
			return Quote{Bid: rng.IntN(3), Ask: rng.IntN(3)} // 0 for none
		},
	}
	cachetest.TestMerge(t, law)

	law.Merge = cache.Latest[Quote]
	cachetest.TestMerge(t, law)
	// Output:
	// early emission gives another final state:
	// 	values  [{Bid:0 Ask:1} {Bid:0 Ask:0}]
	// 	emitted {Bid:0 Ask:1}, {Bid:0 Ask:0}
	// 	gives   {Bid:0 Ask:1}
	// 	merged into one they give {Bid:0 Ask:0}
}

// An increment: the consumer adds what it is handed to what it has.
func ExampleLaw() {
	cachetest.TestMerge(printer{}, cachetest.Law[int, int]{
		Merge: cache.Sum[int],
		Value: func(rng *rand.Rand) int { return rng.IntN(10) },
		Apply: func(total, emitted int) int { return total + emitted },
	})
	fmt.Println("it keeps the laws")
	// Output: it keeps the laws
}

// logged is a cache that notes what is put.
type logged struct {
	*cache.Cache[string, string]
	log *strings.Builder
}

func (l logged) Put(key, value string) error {
	err := l.Cache.Put(key, value)
	fmt.Fprintln(l.log, "put", key, err)
	return err
}

// The cache that a test of one's own hands to Run.
func ExampleRun() {
	newLogged := func(o cachetest.Options) (cachetest.Cache, error) {
		c, err := cache.New(o)
		return logged{c, new(strings.Builder)}, err
	}
	test := func(t *testing.T) { cachetest.Run(t, newLogged) }
	fmt.Println(test != nil)
	// Output: true
}

func ExampleCache() {
	c, err := cache.New(cachetest.Options{MaxEntries: 1})
	if err != nil {
		panic(err)
	}
	var under cachetest.Cache = c // or what wraps it
	var a cachetest.Arrival = cache.Arrival[string, string]{Key: "a", Value: "1"}
	fmt.Println(under.Admit(a))
	var e cachetest.Entry
	e, _ = under.TryTake()
	fmt.Println(e.Key, e.Value)
	// Output:
	// <nil>
	// a 1
}
