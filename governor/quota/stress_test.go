package quota

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever the handlers, sources and quotas: what is used stays within the quota,
// plus one window's worth and what was in hand when the entity was muted. And no
// one is held back for nothing.
func TestUseStaysWithinQuota(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			samples, sources := 1+r.IntN(2)*10, 1+r.IntN(8)
			rate := 10 + r.IntN(1000)
			most := 1 + r.IntN(3*rate)
			length := 5*time.Minute + time.Duration(10*sources*most/rate)*time.Second
			var used int64
			synctest.Test(t, func(t *testing.T) { used = useBytes(t, seed, samples, sources, rate, most, length) })
			allowed := float64(rate) * length.Seconds()
			slack := float64(rate*samples + 2*sources*most)
			if float64(used) > allowed+slack {
				t.Errorf("%d used by %d sources of up to %d, want at most %v and %v", used, sources, most, allowed, slack)
			}
			if float64(used) < 0.85*allowed-slack {
				t.Errorf("%d used by %d sources of up to %d, want nearly %v", used, sources, most, allowed)
			}
		})
	}
}

func useBytes(t *testing.T, seed uint64, samples, sources, rate, most int, length time.Duration) int64 {
	q := mustNew(t, Options{Samples: samples})
	mustAlter(t, q, alice, produced(fmt.Sprint(rate)))
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var all sync.WaitGroup
	for i := range sources {
		r := rand.New(rand.NewPCG(seed, uint64(i)+2))
		all.Go(func() {
			gate := q.Producer(Identity{User: "alice"})
			defer gate.Close()
			for gate.Wait(ctx) == nil {
				time.Sleep(time.Duration(1+r.IntN(20)) * ms)
				gate.Charge(time.Now(), 0, int64(1+r.IntN(most)))
			}
		})
	}
	all.Wait()
	return q.Stats(time.Now()).Entities[0].Total
}

// Everything at once, for the race detector.
func TestConcurrentUse(t *testing.T) {
	d := tempDir(t)
	q := mustNew(t, Options{Dir: d, MaxEntities: 20, Window: ms, Expiry: ms, OnThrottle: func(Usage) {}})
	mustAlter(t, q, Entity{User: Default()}, percent("50"), produced("1000000"))
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 300 {
				id := Identity{User: fmt.Sprint((i + n) % 30), ClientID: fmt.Sprint(i)}
				gate := q.Producer(id)
				for range 5 {
					if gate.Wait(ctx) != nil {
						break
					}
					gate.Charge(time.Now(), 10*time.Microsecond, 100)
				}
				gate.Close()
			}
		})
	}
	var configuring sync.WaitGroup
	configuring.Go(func() { q.Watch(ctx) })
	configuring.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			q.Alter(Entity{User: Named(fmt.Sprint(n % 5))}, percent("20"))
			q.Remove(Entity{User: Named(fmt.Sprint((n + 2) % 5))})
			q.Expire(time.Now())
			q.Describe(time.Now(), Identity{User: "1"})
			if s := q.Stats(time.Now()); len(s.Entities) > 3*(20+1) {
				t.Errorf("%d entities", len(s.Entities))
			}
		}
	})
	all.Wait()
	cancel()
	configuring.Wait()
	if n := q.Stats(time.Now()).Producers; n != 1 {
		t.Errorf("%d producers, want the least, 1", n)
	}
	q.Close()
}
