// Package cachetest holds what users of package cache make to its contract.
//
// [TestMerge] is for merges. A merge of one's own must leave its arguments
// alone, be associative, and bring the consumer to the same final state however
// many values happen to be merged before they are taken. None of this can be
// seen from an example or two, and a cache that is hardly loaded hides all of
// it. TestMerge tries random sequences, and shows the shortest that it finds.
//
// [Run] is for caches. Whoever wraps a cache.Cache, for metrics, tracing, or
// to log what it does, or puts another in its place, has it do the same as the
// original: Run plays known cases and random sequences to both.
//
// # Example
//
// A merge of quotes that may come with one side only, and the consumer that
// keeps both:
//
//	func TestMergeQuotes(t *testing.T) {
//		cachetest.TestMerge(t, cachetest.Law[Quote, Quote]{
//			Merge: MergeQuotes,
//			Apply: MergeQuotes, // what the consumer does with its last quote
//			Value: func(rng *rand.Rand) Quote {
//				return Quote{Bid: rng.IntN(3), Ask: rng.IntN(3)} // 0 for none
//			},
//		})
//	}
//
// It runs as the example of TestMerge.
package cachetest
