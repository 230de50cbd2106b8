package cache

import (
	"runtime"
	"testing"
	"time"
	"weak"
)

// Nothing of a key outlives its last entry: a million keys come and go, and
// the cache is as it was.
func TestChurnLeavesNothing(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	first := max(n/10, 40_000) // so that as many slots idle as may stay
	c := mustNew(t, Options[int, *payload]{Newer: func(_, _ *payload) bool { return true }})
	churn := func(from, to int) uint64 {
		at := time.Now()
		entries := make([]Entry[int, *payload], 10)
		for key := from; key < to; key += len(entries) {
			for i := range entries {
				c.PutAt(key+i, new(payload), at)
			}
			taken, _ := c.TakeBatch(t.Context(), entries)
			c.PutAt(key, new(payload), at) // behind its lease
			c.Done(entries[:taken]...)
			e, _ := c.TryTake()
			c.GiveUp(e)
		}
		clear(entries)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := churn(0, first)
	after := churn(first, n)
	if c.busy() != 0 || c.eligible.len() != 0 || c.delays.len() != 0 || len(c.leases) != 0 {
		t.Errorf("left: %d slots, %d eligible, %d in back-off, %d leases", c.busy(), c.eligible.len(), c.delays.len(), len(c.leases))
	}
	if l := c.Ledger(); l.Done+l.Dead != uint64(n+n/10) || l.Check() != nil {
		t.Errorf("ledger %+v: %v", l, l.Check())
	}
	if growth := int64(after) - int64(before); growth > 256<<10 {
		t.Errorf("the heap grew by %d bytes", growth)
	}
}

// What leaves a line, at either end, is let go of while the line goes on, and a
// line that has ended keeps no memory.
func TestLinesAreFreed(t *testing.T) {
	c := mustNew(t, Options[string, *payload]{Annihilate: true})
	for range 2 {
		c.Append("a", nil)
	}
	first, last := new(payload), new(payload)
	refs := []weak.Pointer[payload]{weak.Make(first), weak.Make(last)}
	c.Append("a", first)
	for range 3 {
		c.Append("a", nil)
	}
	c.Admit(Arrival[string, *payload]{Key: "a", Value: last, Op: Insert})
	first, last = nil, nil
	c.Delete("a", nil)
	for range 3 {
		e, _ := c.TryTake()
		c.Done(e)
	}
	runtime.GC()
	for i, ref := range refs {
		if ref.Value() != nil {
			t.Errorf("value %d is kept alive", i)
		}
	}
	s := c.slots.get("a")
	if len(s.extra.rest) != 2 {
		t.Fatalf("%d entries behind the head, want 2", len(s.extra.rest))
	}
	takeAll(c)
	if s.extra.rest != nil {
		t.Error("the line has ended, and keeps its memory")
	}
	runtime.KeepAlive(c)
}

// Nothing is allocated while keys recur, also after a peak.
func TestHotPathsDoNotAllocate(t *testing.T) {
	const n = 16
	at := time.Now()
	ctx := t.Context()
	for name, o := range map[string]Options[int, payload]{
		"plain":       {},
		"head starts": {HeadStart: func(int, payload) time.Duration { return 0 }},
		"evicting":    {MaxEntries: 2 * smallTable, Overflow: EvictOldest},
		"Newer":       {Newer: func(_, _ payload) bool { return true }},
		"Merge":       {Merge: func(_, arriving payload) payload { return arriving }},
		"Merge, Newer": {
			Merge: func(_, arriving payload) payload { return arriving },
			Newer: func(_, _ payload) bool { return true },
		},
		"MergeInto": {MergeInto: func(waiting, arriving *payload) { *waiting = *arriving }},
		"MergeInto, Newer": {
			MergeInto: func(waiting, arriving *payload) { *waiting = *arriving },
			Newer:     func(_, _ payload) bool { return true },
		},
	} {
		c := mustNew(t, o)
		entries := make([]Entry[int, payload], n)
		batch := make([]Arrival[int, payload], 2*n)
		for i := range batch {
			batch[i].Key = i % n
			if i%3 > 0 {
				batch[i].At = at
			}
		}
		cycle := func() {
			for key := range n {
				c.PutAt(key, payload{}, at)
				c.PutAt(key, payload{}, at)
			}
			taken, _ := c.TakeBatch(ctx, entries)
			c.Done(entries[:taken]...)
			c.PutAt(0, payload{}, at)
			e, _ := c.TryTake()
			c.Done(e)
			c.AdmitBatch(ctx, batch)
			for range n {
				c.Done(entries[:c.TryTakeBatch(at, entries[:1])]...)
			}
		}
		for _, when := range []string{"at first", "after a peak"} {
			cycle()
			if got := testing.AllocsPerRun(100, cycle); got != 0 {
				t.Errorf("%s, %s: %v allocations", name, when, got)
			}
			for key := range 2 * smallTable {
				c.PutAt(key, payload{}, at)
			}
			takeAll(c)
		}
	}
}

// A key is let go of when enough others have come after it.
func TestKeysAreFreed(t *testing.T) {
	c := mustNew(t, Options[*payload, int]{})
	key := new(payload)
	ref := weak.Make(key)
	c.Put(key, 1)
	for range residents {
		takeAll(c)
		c.Put(new(payload), 1)
	}
	takeAll(c)
	runtime.GC()
	if ref.Value() != nil {
		t.Error("the key is kept alive")
	}
	runtime.KeepAlive(c)
}

// A value is let go of as soon as the cache has no more use for it, whatever
// became of it, while other keys go on.
func TestValuesAreFreed(t *testing.T) {
	type cache = *Cache[string, *payload]
	ways := map[string]func(cache, *payload){
		"replaced": func(c cache, v *payload) { c.Put("a", v); c.Put("a", new(payload)) },
		"leased":   func(c cache, v *payload) { c.Put("a", v); c.TryTake() },
		"done":     func(c cache, v *payload) { c.Put("a", v); takeAll(c) },
		"evicted":  func(c cache, v *payload) { c.Put("a", v); c.Put("b", new(payload)) },
		"evicted behind its lease": func(c cache, v *payload) {
			c.Put("a", new(payload))
			c.TryTake()
			c.Put("a", v)
			c.Put("b", new(payload))
		},
		"joined": func(c cache, v *payload) {
			c.Put("a", v)
			e, _ := c.TryTake()
			c.Put("a", new(payload))
			c.Return(e, time.Hour)
		},
		"evicted by an appended one": func(c cache, v *payload) { c.Put("a", v); c.Append("a", nil) },
		"done while its line goes on": func(c cache, v *payload) {
			c.Append("a", nil)
			e, _ := c.TryTake()
			c.Append("a", v)
			c.Return(e, 0)
			for range 2 {
				e, _ := c.TryTake()
				c.Append("a", nil)
				c.Done(e)
			}
		},
		"deleted": func(c cache, v *payload) { c.Put("a", v); c.Delete("a", nil) },
		"annihilated": func(c cache, v *payload) {
			c.Admit(Arrival[string, *payload]{Key: "a", Value: v, Op: Insert})
			c.Delete("a", nil)
			c.Put("a", nil) // the slot is in use again
		},
		"annihilated at the end of a line": func(c cache, v *payload) {
			c.Append("a", nil)
			e, _ := c.TryTake()
			c.Admit(Arrival[string, *payload]{Key: "a", Value: v, Op: Insert})
			c.Return(e, 0)
			c.Delete("a", nil)
		},
		"expired": func(c cache, v *payload) {
			c.PutAt("a", v, time.Now().Add(-2*time.Hour))
			c.Eligible()
			c.Put("a", nil)
		},
		"dead": func(c cache, v *payload) {
			c.Put("a", v)
			e, _ := c.TryTake()
			c.GiveUp(e)
		},
		"evicted in back-off": func(c cache, v *payload) {
			c.Put("a", v)
			e, _ := c.TryTake()
			c.Return(e, time.Hour)
			c.Put("b", new(payload))
		},
	}
	for _, newer := range []func(_, _ *payload) bool{nil, func(_, _ *payload) bool { return true }} {
		for name, way := range ways {
			if name == "leased" && newer != nil {
				continue // Newer looks at it
			}
			c := mustNew(t, Options[string, *payload]{
				MaxEntries: 1, Overflow: EvictOldest, Newer: newer,
				Annihilate: true, MaxAge: time.Hour, Expiry: Drop,
			})
			v := new(payload)
			ref := weak.Make(v)
			way(c, v)
			runtime.GC()
			if ref.Value() != nil {
				t.Errorf("%s, Newer %v: the value is kept alive", name, newer != nil)
			}
			runtime.KeepAlive(c)
		}
	}
}
