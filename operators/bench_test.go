package operators_test

import (
	"context"
	"testing"
	"time"

	"github.com/headrace/headrace/operators"
)

// One operation is one value in.

func BenchmarkInput(b *testing.B) {
	b.ReportAllocs()
	for range upTo(b.N) {
	}
}

func BenchmarkMap(b *testing.B) {
	b.ReportAllocs()
	for range operators.Map(upTo(b.N), same) {
	}
}

func BenchmarkFilter(b *testing.B) {
	b.ReportAllocs()
	for range operators.Filter(upTo(b.N), even) {
	}
}

func BenchmarkChain(b *testing.B) {
	b.ReportAllocs()
	first := operators.Map(upTo(b.N), same)
	second := operators.Filter(first, func(int) bool { return true })
	third := operators.Map(second, same)
	for range operators.Filter(third, even) {
	}
}

func BenchmarkScanBy(b *testing.B) {
	b.ReportAllocs()
	for range operators.ScanBy(upTo(b.N), func(v int) int { return v % 1000 }, 0, add) {
	}
}

func BenchmarkChanged(b *testing.B) {
	b.ReportAllocs()
	equal := func(last, next int) bool { return last == next }
	for range operators.Changed(upTo(b.N), func(v int) int { return v % 1000 }, equal) {
	}
}

func BenchmarkChunk(b *testing.B) {
	b.ReportAllocs()
	for range operators.Chunk(upTo(b.N), 64) {
	}
}

// A span holds ten values of each of a thousand keys.
func BenchmarkTumble(b *testing.B) {
	b.ReportAllocs()
	at := func(v int) time.Time { return time.Unix(0, int64(v)) }
	for range operators.Tumble(upTo(b.N), 10_000, at, func(v int) int { return v % 1000 }, 0, add, func(int) {}) {
	}
}

func BenchmarkTumbleCount(b *testing.B) {
	b.ReportAllocs()
	for range operators.TumbleCount(upTo(b.N), 10, func(v int) int { return v % 1000 }, 0, add) {
	}
}

// Every second value is a left one.
func BenchmarkJoinLatest(b *testing.B) {
	b.ReportAllocs()
	left := func(v int) (int, bool) { return v, even(v) }
	right := func(v int) (int, bool) { return v, !even(v) }
	for range operators.JoinLatest(upTo(b.N), func(v int) int { return v / 2 % 1000 }, left, right) {
	}
}

// The rate is far above the machine's, so that no value waits.
func BenchmarkThrottle(b *testing.B) {
	b.ReportAllocs()
	for range operators.Throttle(context.Background(), upTo(b.N), 1, time.Nanosecond) {
	}
}

func BenchmarkParallel(b *testing.B) {
	b.ReportAllocs()
	f := func(_ context.Context, v int) (int, error) { return v, nil }
	for range operators.Parallel(context.Background(), upTo(b.N), 4, f) {
	}
}
