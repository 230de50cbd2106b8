package quota

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// run is what sources of one entity did in virtual time.
type run struct {
	share   float64 // of one producer's time, in percent
	longest time.Duration
}

// longRun lets sources with always something to do, each delivery of which takes
// handler, run under 1 % of 8 producers: 8 % of one producer's time.
func longRun(t *testing.T, samples, sources int, handler, length time.Duration) (r run) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{Samples: samples, Producers: 8})
		mustAlter(t, q, Entity{User: Named("alice")}, Change{Key: RequestTimePercent, Value: "1"})
		ctx, cancel := context.WithTimeout(t.Context(), length)
		defer cancel()
		var mu sync.Mutex
		var busy time.Duration
		start := time.Now()
		var sourcesDone sync.WaitGroup
		for range sources {
			sourcesDone.Go(func() {
				gate := q.Producer(Identity{User: "alice", ClientID: "feed"})
				defer gate.Close()
				for {
					asked := time.Now()
					if gate.Wait(ctx) != nil {
						return
					}
					began := time.Now()
					time.Sleep(handler)
					gate.Charge(time.Now(), handler, 0)
					mu.Lock()
					busy += handler
					r.longest = max(r.longest, began.Sub(asked))
					mu.Unlock()
				}
			})
		}
		sourcesDone.Wait()
		r.share = 100 * busy.Seconds() / time.Since(start).Seconds()
	})
	return r
}

// The table of the package documentation.
func TestLongRunShare(t *testing.T) {
	const quota = 8.0
	for _, samples := range []int{1, 11} {
		for _, sources := range []int{1, 8} {
			for _, handler := range []time.Duration{1, 16, 80, 100, 500, 2000} {
				t.Run(fmt.Sprintf("%d samples, %d sources, %d ms", samples, sources, handler), func(t *testing.T) {
					r := longRun(t, samples, sources, handler*ms, 10*time.Minute+1000*handler*ms)
					t.Logf("%2d samples %d sources %5v  %5.2f %% = %.3f of the quota, longest wait %v",
						samples, sources, handler*ms, r.share, r.share/quota, r.longest.Round(10*ms))
					if r.share > 1.05*quota || r.share < 0.9*quota {
						t.Errorf("share %.2f %%, want 0.9 to 1.05 of %v %%", r.share, quota)
					}
				})
			}
		}
	}
}
