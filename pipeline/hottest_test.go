package pipeline

import (
	"fmt"
	"testing"
	"time"
)

// filled returns a count of keys 0 to 999, of which key 7 gets a third of all.
func filled(now time.Time) *hottest[int] {
	h := new(hottest[int])
	h.most(1, now)
	for i := range 1000 {
		h.add(i, 2, now)
		h.add(7, 1, now)
	}
	return h
}

func TestHottestFindsTheKeyAmongMany(t *testing.T) {
	now := time.Now()
	keys := filled(now).most(3, now)
	if len(keys) != 3 || keys[0].Key != "7" {
		t.Fatalf("hottest keys %v, want 3 with 7 first", keys)
	}
	// 1000 of 3000, and its own 2.
	if share := keys[0].Share; share < 0.3 || share > 1002.0/3000 {
		t.Errorf("share %v, want a third or a little less", share)
	}
}

func TestHottestIsBounded(t *testing.T) {
	h := filled(time.Now())
	if len(h.counters) != hotCounters || len(h.index) != hotCounters {
		t.Errorf("%d counters, %d in the index, want %d", len(h.counters), len(h.index), hotCounters)
	}
}

// A key that was hot makes room for one that is.
func TestHottestForgets(t *testing.T) {
	now := time.Now()
	h := filled(now)
	now = now.Add(5 * hotHalfLife)
	for range 200 {
		h.add(1, 1, now)
	}
	if keys := h.most(1, now); keys[0].Key != "1" {
		t.Errorf("hottest key %v, want 1", keys)
	}
}

func TestHottestStopsWhenNobodyAsks(t *testing.T) {
	now := time.Now()
	h := filled(now)
	if !h.counting.Load() {
		t.Fatal("it does not count though somebody asked")
	}
	now = now.Add(hotInterest + 1)
	h.add(1, 1, now)
	if h.counting.Load() || h.counters != nil {
		t.Error("it counts on though nobody asked")
	}
	if keys := h.most(1, now); len(keys) != 0 {
		t.Errorf("hottest keys %v, want none: the count begins anew", keys)
	}
	h.add(1, 1, now)
	if keys := h.most(1, now); len(keys) != 1 || keys[0].Share != 1 {
		t.Errorf("hottest keys %v, want key 1 alone", keys)
	}
}

func TestHottestSeesOneEntryInSixteen(t *testing.T) {
	now := time.Now()
	h := new(hottest[int])
	h.see(1, 1, now)
	if h.total != 0 {
		t.Error("it counted though nobody asked")
	}
	h.most(1, now)
	const n = 160_000
	for range n {
		h.see(1, 1, now)
	}
	// The standard deviation is 97.
	if h.total < n/hotSampling-1000 || h.total > n/hotSampling+1000 {
		t.Errorf("%v of %d entries counted, want one in %d", h.total, n, hotSampling)
	}
}

func BenchmarkHottest(b *testing.B) {
	now := time.Now()
	for _, keys := range []int{100, 10_000} {
		for _, asked := range []bool{false, true} {
			b.Run(fmt.Sprintf("keys=%d/asked=%v", keys, asked), func(b *testing.B) {
				h := new(hottest[int])
				if asked {
					h.most(1, now)
				}
				for i := 0; b.Loop(); i++ {
					h.see(i%keys, 1, now)
				}
			})
		}
	}
}
