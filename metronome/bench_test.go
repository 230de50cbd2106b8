package metronome_test

import (
	"context"
	"testing"
	"time"

	"github.com/headrace/headrace/metronome"
)

// BenchmarkBeats/due is the cost of a beat that need not be waited for. The
// timer case is as slow as its timers are; its figure is the allocations.
func BenchmarkBeats(b *testing.B) {
	b.Run("due", func(b *testing.B) { run(b, time.Nanosecond) })
	b.Run("timer", func(b *testing.B) { run(b, 50*time.Microsecond) })
}

func run(b *testing.B, interval time.Duration) {
	beats, err := metronome.Beats(context.Background(), metronome.Options{Interval: interval})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for range beats {
		if n++; n >= b.N {
			return
		}
	}
}
