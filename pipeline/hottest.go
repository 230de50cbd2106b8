package pipeline

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// hottest finds the keys that get the most values, with the Space-Saving
// algorithm (Metwally, Agrawal and El Abbadi, 2005): a key that has no counter
// takes over the smallest one. It counts while somebody asks. The zero value
// is ready to use.
type hottest[K comparable] struct {
	counting atomic.Bool

	mu       sync.Mutex
	counters []hotCounter[K]
	index    map[K]int // of the counters
	total    float64   // weight of all that was counted
	least    float64   // no counter is smaller
	next     int       // where smallest goes on
	asked    time.Time // last
	halved   time.Time // last
}

type hotCounter[K comparable] struct {
	key       K
	count     float64
	inherited float64 // part of count that may be another key's
}

const (
	hotCounters = 128              // what has a larger share than 1/128 is found
	hotSampling = 16               // entries, of which one is counted
	hotHalfLife = 10 * time.Second // of what was counted
	hotInterest = time.Minute      // how long a question keeps the count going
)

// see counts one entry in hotSampling, chosen at random so that no rhythm of
// the input hides a key. Nobody watching, it costs an atomic load.
func (h *hottest[K]) see(key K, values int, now time.Time) {
	if h.counting.Load() && rand.Uint32()%hotSampling == 0 {
		h.add(key, float64(values), now)
	}
}

func (h *hottest[K]) add(key K, weight float64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.Sub(h.asked) > hotInterest {
		h.counting.Store(false)
		h.forget()
		return
	}
	h.decay(now)
	h.total += weight
	i, known := h.index[key]
	if !known {
		i = h.takeOver(key)
	}
	h.counters[i].count += weight
}

// takeOver returns a counter for a new key.
func (h *hottest[K]) takeOver(key K) int {
	if len(h.counters) < hotCounters {
		h.counters = append(h.counters, hotCounter[K]{key: key})
		h.index[key] = len(h.counters) - 1
		return len(h.counters) - 1
	}
	least := h.smallest()
	c := &h.counters[least]
	delete(h.index, c.key)
	h.index[key] = least
	c.key, c.inherited = key, c.count
	return least
}

// smallest returns a counter of the smallest count. It goes round from where it
// stopped and takes the first that is no larger than the last smallest one, so
// that it seldom looks at all of them.
func (h *hottest[K]) smallest() int {
	smallest := h.next
	for range h.counters {
		i := h.next
		h.next = (h.next + 1) % len(h.counters)
		if h.counters[i].count <= h.least {
			return i
		}
		if h.counters[i].count < h.counters[smallest].count {
			smallest = i
		}
	}
	h.least = h.counters[smallest].count
	return smallest
}

// decay makes old counts fade, so that what is hot now comes up.
func (h *hottest[K]) decay(now time.Time) {
	for ; now.Sub(h.halved) >= hotHalfLife; h.halved = h.halved.Add(hotHalfLife) {
		h.total /= 2
		h.least /= 2
		for i := range h.counters {
			h.counters[i].count /= 2
			h.counters[i].inherited /= 2
		}
	}
}

func (h *hottest[K]) forget() {
	h.counters, h.index, h.total, h.least, h.next = nil, nil, 0, 0, 0
}

// most returns up to n keys, the hottest first, and keeps the count going. A
// key is as hot as it surely is: what its counter had before is left out.
func (h *hottest[K]) most(n int, now time.Time) []HotKey {
	counters, total := h.ask(now)
	slices.SortFunc(counters, func(a, b hotCounter[K]) int {
		return cmp.Compare(b.count-b.inherited, a.count-a.inherited)
	})
	var keys []HotKey
	for _, c := range counters[:min(n, len(counters))] {
		// The key's String method is the user's: it runs outside the lock.
		keys = append(keys, HotKey{Key: fmt.Sprint(c.key), Share: (c.count - c.inherited) / total})
	}
	return keys
}

// ask returns a copy of the counters, and begins to count.
func (h *hottest[K]) ask(now time.Time) ([]hotCounter[K], float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = now
	if !h.counting.Load() {
		h.index, h.halved = make(map[K]int, hotCounters), now
		h.counting.Store(true)
	}
	h.decay(now)
	return slices.Clone(h.counters), h.total
}
