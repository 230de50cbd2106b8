package cache

import (
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
