package cache

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Exact: an entry with a head start goes before all that arrived up to that
// much earlier, and after all that arrived before.
func TestHeadStartIsExact(t *testing.T) {
	base := time.Now()
	leads := map[string]time.Duration{"high": 100 * time.Millisecond, "low": -50 * time.Millisecond}
	c := mustNew(t, Options[string, int]{HeadStart: func(key string, _ int) time.Duration { return leads[key] }})
	put := func(key string, after time.Duration) { c.PutAt(key, 0, base.Add(after)) }
	put("low", 0) // as if at 50 ms
	put("0ms", 0)
	put("10ms-1ns", 10*time.Millisecond-1)
	put("10ms", 10*time.Millisecond)
	put("10ms+1ns", 10*time.Millisecond+1)
	put("49ms", 49*time.Millisecond)
	put("51ms", 51*time.Millisecond)
	put("high", 110*time.Millisecond) // as if at 10 ms, after the one that came then
	want := []string{"0ms", "10ms-1ns", "10ms", "high", "10ms+1ns", "49ms", "low", "51ms"}
	if got := takeAll(c); !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
}

// It is asked once, for the first value, and survives a Return.
func TestHeadStartIsAskedOnce(t *testing.T) {
	var asked []int
	c := mustNew(t, Options[string, int]{HeadStart: func(_ string, v int) time.Duration {
		asked = append(asked, v)
		return time.Duration(v) * time.Hour
	}})
	at := time.Now()
	c.PutAt("a", 2, at)
	c.PutAt("b", 1, at)
	c.PutAt("b", 3, at) // would be first, but it merges
	e, _ := c.TryTake()
	if e.Key != "a" || !e.Inserted().Equal(at) {
		t.Errorf("took %s of %v, want a of %v", e.Key, e.Inserted(), at)
	}
	c.PutAt("a", 0, at) // behind the lease: joins below
	c.Return(e, 0)
	if got := takeAll(c); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("took %v, want a b", got)
	}
	if !slices.Equal(asked, []int{2, 1, 0}) {
		t.Errorf("asked for %v, want 2 1 0", asked)
	}
}

// A head start without end is one before all, also for what arrived before the
// cache was there: it used to overflow.
func TestHeadStartDoesNotOverflow(t *testing.T) {
	c := mustNew(t, Options[string, int]{HeadStart: func(key string, _ int) time.Duration {
		return map[string]time.Duration{"first": math.MaxInt64, "last": math.MinInt64}[key]
	}})
	early := time.Now().Add(-time.Hour)
	for _, key := range []string{"last", "middle", "first"} {
		c.PutAt(key, 0, early)
	}
	if got, want := takeAll(c), []string{"first", "middle", "last"}; !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
}

// Under a load of high-priority entries that by itself is twice what the
// consumer can do, each plain entry leaves after those alone that arrived
// before it or within its head start. The backlog does not grow without end,
// since keys recur.
func TestHeadStartStarvesNobody(t *testing.T) {
	const lead, keys, step = 50 * time.Millisecond, 200, time.Millisecond
	c := mustNew(t, Options[int, int]{HeadStart: func(key int, _ int) time.Duration {
		if key >= 0 {
			return lead
		}
		return 0
	}})
	now := time.Now()
	high, plain := 0, 0
	for i := range 5000 {
		now = now.Add(step)
		for range 2 {
			c.PutAt(high%keys, 0, now)
			high++
		}
		if i%100 == 0 {
			c.PutAt(-1-i, 0, now)
		}
		e, _ := c.TryTake()
		c.Done(e)
		if e.Key >= 0 {
			continue
		}
		plain++
		// At most all keys stand before it, of which each may come again while
		// the head start lasts.
		if wait, most := now.Sub(e.Inserted()), lead+keys*step+2*step; wait > most {
			t.Fatalf("entry %d waited %v, want at most %v", e.Key, wait, most)
		}
	}
	if plain < 45 {
		t.Errorf("%d plain entries came through, want nearly 50", plain)
	}
}

// Age and eviction go by the true arrival, whoever is next.
func TestHeadStartDoesNotCountForAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var evicted []string
		c := mustNew(t, Options[string, int]{
			HeadStart:  func(_ string, v int) time.Duration { return time.Duration(v) * time.Minute },
			MaxEntries: 3, Overflow: EvictOldest,
			OnDrop: func(e Entry[string, int], r Reason) { evicted = append(evicted, fmt.Sprint(e.Key, " ", r)) },
		})
		for i, key := range []string{"a", "b", "c"} { // the last is the first
			c.Put(key, i)
			time.Sleep(time.Second)
		}
		if got := c.OldestAge(); got != 3*time.Second {
			t.Errorf("OldestAge = %v, want 3s", got)
		}
		var all []string
		for e := range c.All() {
			all = append(all, e.Key)
		}
		if !slices.Equal(all, []string{"a", "b", "c"}) {
			t.Errorf("All = %v, want a b c", all)
		}
		c.Put("d", 0)
		if !slices.Equal(evicted, []string{"a evicted"}) {
			t.Errorf("dropped %v, want a", evicted)
		}
		if got := takeAll(c); !slices.Equal(got, []string{"c", "b", "d"}) {
			t.Errorf("took %v, want c b d", got)
		}
	})
}

// A tombstone that becomes a replace cannot be dropped, and neither can an
// upsert that becomes a tombstone, wherever it waits.
func TestAnOperationThatChangesCanOrCannotBeEvicted(t *testing.T) {
	for _, leased := range []bool{false, true} {
		c := mustNew(t, Options[string, int]{
			MaxEntries: 2, Overflow: EvictOldest, Merge: Sum[int],
			Newer: func(waiting, arriving int) bool { return arriving > waiting },
		})
		var e Entry[string, int]
		if leased {
			c.Put("a", 1)
			e, _ = c.TryTake()
		}
		c.Put("a", 5)
		c.Delete("a", 6)
		c.Put("b", 1)
		c.Put("c", 1) // evicts b, since a is a tombstone
		c.Put("a", 7) // a replace
		c.Put("d", 1) // evicts c
		c.Done(e)
		if got := takeAll(c); !slices.Equal(got, []string{"a", "d"}) {
			t.Errorf("leased %v: took %v, want a d", leased, got)
		}
	}
}

// Orders that nobody asked for cost nothing.
func TestOrdersAreKeptOnDemand(t *testing.T) {
	lead := func(string, int) time.Duration { return 0 }
	tests := []struct {
		options     Options[string, int]
		ages, drops bool
	}{
		{Options[string, int]{MaxEntries: 1, MaxAge: 1}, false, false},
		{Options[string, int]{HeadStart: lead}, true, false},
		{Options[string, int]{MaxEntries: 1, Overflow: EvictOldest}, false, true},
		{Options[string, int]{MaxAge: 1, Expiry: Drop}, false, true},
	}
	for i, test := range tests {
		c := mustNew(t, test.options)
		if c.ages != nil != test.ages || c.drops != nil != test.drops {
			t.Errorf("options %d: by age %v, to be dropped %v, want %v, %v", i, c.ages != nil, c.drops != nil, test.ages, test.drops)
		}
	}
}

// A value that waits for room is asked when it gets it, once, and one that is
// refused not at all.
func TestHeadStartIsAskedOnceOfAValueThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []int
		c := mustNew(t, Options[string, int]{MaxEntries: 1, HeadStart: func(_ string, v int) time.Duration {
			asked = append(asked, v)
			return 0
		}})
		c.Put("a", 1)
		go c.PutWait(t.Context(), "b", 2)
		synctest.Wait()
		if err := c.Put("c", 3); !errors.Is(err, ErrFull) {
			t.Errorf("Put: %v, want ErrFull", err)
		}
		c.TryTake()
		synctest.Wait()
		if !slices.Equal(asked, []int{1, 2}) {
			t.Errorf("asked for %v, want 1 2", asked)
		}
	})
}
