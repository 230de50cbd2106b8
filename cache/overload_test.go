package cache

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// Ten times as much arrives as the consumer can take, and one key makes nearly
// all of it. The wait of each entry is what stood before it when it came,
// divided by the rate, to the beat; and no hot key waits longer or shorter.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys, beats, load, beat = 300, 6000, 10, time.Millisecond
		c := mustNew(t, Options[int, int]{})
		rng := rand.New(rand.NewPCG(1, 2))
		ahead := make([]int, keys) // entries before this key's when it came
		most := 0                  // entries that waited at once
		var hot, cold []time.Duration
		put := func(key int) {
			if _, waits := c.Get(key); !waits {
				ahead[key] = c.Len()
			}
			c.Put(key, 0)
			most = max(most, c.Len())
		}
		for i := range beats {
			for range load {
				if rng.IntN(4) > 0 { // 900 times as often as any other
					put(0)
				} else {
					put(1 + rng.IntN(keys-1))
				}
			}
			time.Sleep(beat)
			if got, bound := c.OldestAge(), time.Duration(most+1)*beat; got > bound {
				t.Fatalf("beat %d: the oldest waits %v, want at most %v", i, got, bound)
			}
			e, _ := c.TryTake()
			c.Done(e)
			if want := time.Duration(ahead[e.Key]+1) * beat; e.Wait() != want {
				t.Fatalf("beat %d: key %d waited %v, want %v", i, e.Key, e.Wait(), want)
			}
			if i < 2*keys {
				continue // not yet as many as there will be
			}
			if e.Key == 0 {
				hot = append(hot, e.Wait())
			} else {
				cold = append(cold, e.Wait())
			}
		}
		if len(hot) < 20 || len(cold) < 1000 {
			t.Fatalf("%d hot and %d cold entries", len(hot), len(cold))
		}
		h, k := mean(hot), mean(cold)
		if diff := max(h, k) - min(h, k); diff > h/20 {
			t.Errorf("the hot key waits %v, a cold one %v", h, k)
		}
	})
}

func mean(ds []time.Duration) (sum time.Duration) {
	for _, d := range ds {
		sum += d
	}
	return sum / time.Duration(len(ds))
}
