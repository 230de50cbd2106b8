package main

import (
	"testing"

	"github.com/failsafe-go/failsafe-go/adaptivelimiter"
	"github.com/headrace/headrace/governor"
)

// BenchmarkLimiter takes a permit and ends it with success, by one goroutine.
// The bar: at most half of failsafe-go's time, and no allocation.
func BenchmarkLimiter(b *testing.B) {
	b.Run("headrace", func(b *testing.B) {
		l, err := governor.NewLimiter(governor.LimiterOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			t, ok := l.TryAcquire()
			if !ok {
				b.Fatal("no permit")
			}
			t.Success()
		}
	})
	b.Run("failsafe-go", func(b *testing.B) {
		l := adaptivelimiter.NewBuilder[any]().WithLimits(1, 200, 20).Build()
		b.ReportAllocs()
		for b.Loop() {
			p, ok := l.TryAcquirePermit()
			if !ok {
				b.Fatal("no permit")
			}
			p.Record()
		}
	})
}
