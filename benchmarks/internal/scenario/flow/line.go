package flow

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// rounds are how often a cache line goes there and back for one figure: a reading of
// the clock takes longer than once.
const rounds = 100

// measureLine measures how long a cache line takes from one core to another: two
// threads wait for each other's number in one word.
func measureLine(ctx context.Context, about time.Duration) (bench.Sample, error) {
	n := max(100, int(about/(500*time.Microsecond)))
	var word struct {
		_ [128]byte
		atomic.Int64
		_ [128]byte
	}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for i := range int64(n * rounds) {
			await(&word.Int64, 2*i+1)
			word.Store(2*i + 2)
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	times := make([]time.Duration, 0, n)
	for i := range int64(n) {
		began := time.Now()
		for j := i * rounds; j < (i+1)*rounds; j++ {
			word.Store(2*j + 1)
			await(&word.Int64, 2*j+2)
		}
		times = append(times, time.Since(began)/(2*rounds))
	}
	slices.Sort(times)
	return bench.Sample{"p50": float64(times[n/2]), "p99": float64(times[n*99/100])}, ctx.Err()
}

// await spins until the word is that. Where there is one processor only, the other
// thread must have its turn.
func await(word *atomic.Int64, want int64) {
	for spins := 1; word.Load() != want; spins++ {
		if spins%10_000 == 0 {
			runtime.Gosched()
		}
	}
}
