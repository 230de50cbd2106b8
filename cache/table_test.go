package cache

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// heap returns the bytes in use after a collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what a finalizer or a pool held is gone now too
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// peak measures what a cache takes and gives back.
type peak struct {
	c             *Cache[int, *payload]
	n             int
	empty, full   int64 // heap
	slowest       time.Duration
	batch         [64]Entry[int, *payload]
	at            time.Time
	slowestOfWhat string
}

func newPeak(tb testing.TB, n int, o Options[int, *payload]) *peak {
	p := &peak{c: mustNew(tb, o), n: n, at: time.Now()}
	p.c.PutAt(-1, nil, p.at)
	takeAll(p.c)
	return p
}

// timed notes the slowest single operation.
func (p *peak) timed(what string, f func()) {
	start := time.Now()
	f()
	if took := time.Since(start); took > p.slowest {
		p.slowest, p.slowestOfWhat = took, what
	}
}

func (p *peak) fill() {
	for i := range p.n {
		p.timed("PutAt", func() { p.c.PutAt(i, nil, p.at) })
	}
}

func (p *peak) drain(tb testing.TB) {
	for p.c.Eligible() > 0 {
		var n int
		p.timed("TakeBatch", func() { n, _ = p.c.TakeBatch(tb.Context(), p.batch[:]) })
		p.timed("Done", func() { p.c.Done(p.batch[:n]...) })
		clear(p.batch[:])
	}
}

// The table against a plain map, growing and shrinking so that it changes maps
// with keys in both.
func TestTableAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table, model := newTable[int, int](), make(map[int]*slot[int, int])
	rotated := 0
	for phase := range 8 {
		grow := phase%2 == 0
		for range 8 * smallTable {
			key := rng.IntN(4 * smallTable)
			if in := model[key]; in == nil && (grow || rng.IntN(8) == 0) {
				model[key] = &slot[int, int]{key: key}
				table.add(model[key])
			} else if in != nil && !grow {
				delete(model, key)
				peak := table.peak
				if table.remove(key); table.peak < peak {
					rotated++
				}
			}
			if asked := rng.IntN(4 * smallTable); rng.IntN(16) == 0 && table.get(asked) != model[asked] {
				t.Fatalf("key %d: %v, want %v", asked, table.get(asked), model[asked])
			}
			if table.len() != len(model) {
				t.Fatalf("%d keys, want %d", table.len(), len(model))
			}
		}
		seen := make(map[int]*slot[int, int])
		table.each(func(s *slot[int, int]) { seen[s.key] = s })
		if !maps.Equal(seen, model) {
			t.Fatalf("each has %d keys, want %d", len(seen), len(model))
		}
	}
	if rotated < 2 {
		t.Errorf("it changed maps %d times, want some", rotated)
	}
}

// kept bounds what the resident slots take, with their places in the table.
const kept = residents * 256

// After a peak the memory comes back, whatever orders the cache keeps.
func TestMemoryIsGivenBack(t *testing.T) {
	n := 1_000_000
	if testing.Short() || raceEnabled {
		n = 100_000
	}
	for name, o := range map[string]Options[int, *payload]{
		"plain": {},
		"with all orders": {
			HeadStart:  func(key int, _ *payload) time.Duration { return time.Duration(key % 7) },
			MaxEntries: 10 * n, Overflow: EvictOldest,
		},
	} {
		p := newPeak(t, n, o)
		p.empty = heap()
		p.fill()
		p.full = heap()
		p.drain(t)
		left, growth := heap()-p.empty, p.full-p.empty
		t.Logf("%s: %d bytes a key, %.2f %% kept, slowest %s %v",
			name, growth/int64(n), 100*float64(left)/float64(growth), p.slowestOfWhat, p.slowest)
		if left > growth/20+kept {
			t.Errorf("%s: %d of %d bytes are kept, want at most a twentieth", name, left, growth)
		}
		runtime.KeepAlive(p)
	}
}

// A key that never stops, as one that is updated behind each of its leases,
// must not keep the map of the peak alive.
func TestMemoryIsGivenBackThoughAKeyStays(t *testing.T) {
	const n = 100_000
	p := newPeak(t, n, Options[int, *payload]{})
	p.empty = heap()
	p.fill()
	p.full = heap()
	for p.c.busy() > 1 {
		taken, _ := p.c.TakeBatch(t.Context(), p.batch[:])
		p.c.PutAt(0, nil, p.at) // waits, be it behind its lease
		p.c.Done(p.batch[:taken]...)
		clear(p.batch[:])
	}
	if left, growth := heap()-p.empty, p.full-p.empty; left > growth/20+kept {
		t.Errorf("%d of %d bytes are kept, want at most a twentieth", left, growth)
	}
	if _, ok := p.c.Get(0); !ok {
		t.Error("the hot key is lost")
	}
	runtime.KeepAlive(p)
}

// After peaks the memory comes back, also if a lease kept the map of the first
// while the next one came and went.
func TestMemoryIsGivenBackBehindAnOldMap(t *testing.T) {
	const n = 100_000
	p := newPeak(t, n, Options[int, *payload]{})
	p.empty = heap()
	p.c.PutAt(-1, nil, p.at)
	endless, _ := p.c.TryTake()
	for range 2 {
		p.fill()
		p.full = heap()
		for p.c.Len() > 0 {
			taken, _ := p.c.TakeBatch(t.Context(), p.batch[:])
			p.c.Done(p.batch[:taken]...)
			clear(p.batch[:])
		}
	}
	p.c.Done(endless)
	endless = Entry[int, *payload]{}
	for key := range 1000 { // a few go on
		p.c.PutAt(key%100, nil, p.at)
		takeAll(p.c)
	}
	if p.c.slots.old != nil || p.c.slots.peak > smallTable {
		t.Errorf("old map: %v, peak of %d keys", p.c.slots.old != nil, p.c.slots.peak)
	}
	if left, growth := heap()-p.empty, p.full-p.empty; left > growth/20+kept {
		t.Errorf("%d of %d bytes are kept, want at most a twentieth", left, growth)
	}
	runtime.KeepAlive(p)
}

// A key that cannot be hashed panics before the lock is taken.
func TestKeyThatCannotBeHashed(t *testing.T) {
	c := mustNew(t, Options[any, int]{})
	bad := any([]int{1})
	for name, f := range map[string]func(){
		"Put":       func() { c.Put(bad, 1) },
		"Admit":     func() { c.Admit(Arrival[any, int]{Key: bad}) },
		"PutWait":   func() { c.PutWait(t.Context(), bad, 1) },
		"Get":       func() { c.Get(bad) },
		"AdmitWait": func() { c.AdmitWait(t.Context(), Arrival[any, int]{Key: bad}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	if err := c.Put("a", 1); err != nil || c.Ledger().Puts != 1 {
		t.Errorf("the next put: %v, %+v", err, c.Ledger())
	}
}
