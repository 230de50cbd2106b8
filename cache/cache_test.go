package cache

import (
	"runtime"
	"strconv"
	"testing"
	"time"
)

type payload [8]uint64

func keys(n int) []string {
	ks := make([]string, n)
	for i := range ks {
		ks[i] = "key-" + strconv.Itoa(i)
	}
	return ks
}

func mustNew[K comparable, V any](tb testing.TB, o Options[K, V]) *Cache[K, V] {
	tb.Helper()
	c, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			c := mustNew(b, Options[string, payload]{})
			ks, at := keys(n), time.Now()
			for _, k := range ks {
				c.PutAt(k, payload{}, at)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c.PutAt(ks[i], payload{1}, at)
				if i++; i == n {
					i = 0
				}
			}
		})
	}
}

func BenchmarkCycle(b *testing.B) {
	for _, depth := range []int{1, 500} {
		b.Run(strconv.Itoa(depth), func(b *testing.B) {
			c := mustNew(b, Options[string, payload]{})
			ks, at := keys(1000), time.Now()
			for _, k := range ks[:depth-1] {
				c.PutAt(k, payload{}, at)
			}
			b.ReportAllocs()
			i := depth - 1
			for b.Loop() {
				c.PutAt(ks[i], payload{1}, at)
				e, _ := c.TryTake()
				c.Done(e)
				if i++; i == len(ks) {
					i = 0
				}
			}
		})
	}
}

// The merge of a user costs a call by value.
func BenchmarkMergeOfAUser(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			c := mustNew(b, Options[string, payload]{Merge: func(waiting, arriving payload) payload {
				waiting[0] += arriving[0]
				return waiting
			}})
			ks, at := keys(n), time.Now()
			for _, k := range ks {
				c.PutAt(k, payload{}, at)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c.PutAt(ks[i], payload{1}, at)
				if i++; i == n {
					i = 0
				}
			}
		})
	}
}

// The merge of a user in place.
func BenchmarkMergeInto(b *testing.B) {
	c := mustNew(b, Options[string, payload]{MergeInto: func(waiting, arriving *payload) { waiting[0] += arriving[0] }})
	ks, at := keys(1000), time.Now()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		c.PutAt(ks[i], payload{1}, at)
		if i++; i == len(ks) {
			i = 0
		}
	}
}

// The cycle in batches, per entry.
func BenchmarkCycleInBatches(b *testing.B) {
	c := mustNew(b, Options[string, payload]{})
	ks, at := keys(1000), time.Now()
	entries := make([]Entry[string, payload], 64)
	ctx := b.Context()
	b.ReportAllocs()
	i, waiting := 0, 0
	for b.Loop() {
		c.PutAt(ks[i], payload{1}, at)
		if i++; i == len(ks) {
			i = 0
		}
		if waiting++; waiting == len(entries) {
			n, _ := c.TakeBatch(ctx, entries)
			c.Done(entries[:n]...)
			waiting = 0
		}
	}
}

// A million keys of which nothing waits yet, and what each takes beside the
// key and the value. HeadStart and EvictOldest keep orders of their own.
func BenchmarkInsert(b *testing.B) {
	const n = 1_000_000
	for name, o := range map[string]Options[int, *payload]{
		"plain":       {},
		"head starts": {HeadStart: func(int, *payload) time.Duration { return 0 }},
		"evicting":    {MaxEntries: n, Overflow: EvictOldest},
	} {
		b.Run(name, func(b *testing.B) {
			var bytes int64
			inserted := 0
			for b.Loop() {
				b.StopTimer()
				p := newPeak(b, n, o)
				p.empty = heap()
				b.StartTimer()
				for i := range n {
					p.c.PutAt(i, nil, p.at)
				}
				b.StopTimer()
				bytes += heap() - p.empty
				inserted += n
				runtime.KeepAlive(p)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(inserted), "ns/key")
			b.ReportMetric(float64(bytes)/float64(inserted)-16, "B/key")
		})
	}
}
