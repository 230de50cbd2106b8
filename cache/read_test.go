package cache

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestGetDoesNotSeeTheLeasedValue(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	if _, ok := c.Get("a"); ok {
		t.Error("an empty cache has a value")
	}
	c.Put("a", 1)
	if v, ok := c.Get("a"); !ok || v != 1 {
		t.Errorf("Get = %d, %v, want 1", v, ok)
	}
	c.TryTake()
	if v, ok := c.Get("a"); ok || v != 0 || c.Len() != 0 {
		t.Errorf("Get = %d, %v of %d, want nothing", v, ok, c.Len())
	}
	c.Put("a", 2)
	if v, ok := c.Get("a"); !ok || v != 2 || c.Len() != 1 {
		t.Errorf("Get = %d, %v of %d, want what waits behind the lease", v, ok, c.Len())
	}
}

// fill leaves, by age: b in back-off, a behind its lease, c eligible.
func fill(t *testing.T) *Cache[string, int] {
	c := mustNew(t, Options[string, int]{MaxEntries: 3, Overflow: EvictOldest})
	c.Put("a", 0)
	c.Put("b", 0)
	a, _ := c.TryTake()
	b, _ := c.TryTake()
	time.Sleep(time.Second)
	c.Put("a", 1)
	time.Sleep(time.Second)
	c.Put("c", 1)
	c.Return(b, time.Hour)
	if a.Key != "a" {
		t.Fatal("took b first")
	}
	return c
}

func TestAllIsOldestFirstWhereverTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fill(t)
		var keys []string
		for e := range c.All() {
			keys = append(keys, e.Key)
			if e.Inserted().Add(e.Wait()) != e.Taken {
				t.Errorf("%s was read at %v", e.Key, e.Taken)
			}
		}
		if want := []string{"b", "a", "c"}; !slices.Equal(keys, want) {
			t.Errorf("All = %v, want %v", keys, want)
		}
	})
}

// The loop works on a copy: it may use the cache, and sees nothing of it.
func TestAllIsACopy(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	c.Put("b", 1)
	c.Put("c", 1)
	var values []int
	for e := range c.All() {
		takeAll(c)
		c.Put("a", 2)
		values = append(values, e.Value)
		if len(values) == 2 {
			break
		}
	}
	if !slices.Equal(values, []int{1, 1}) {
		t.Errorf("read %v, want 1 1", values)
	}
}

func TestOldestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got := mustNew(t, Options[string, int]{}).OldestAge(); got != 0 {
			t.Errorf("an empty cache is %v old", got)
		}
		c := fill(t)
		for _, want := range []time.Duration{2 * time.Second, time.Second, 0} { // b, a, c
			if got := c.OldestAge(); got != want {
				t.Errorf("OldestAge = %v, want %v", got, want)
			}
			c.Put(time.Duration(want).String(), 0) // evicts the oldest
		}
	})
}

func TestOldestAgeOfTheFutureIsZero(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.PutAt("a", 1, time.Now().Add(time.Hour))
	if got := c.OldestAge(); got != 0 {
		t.Errorf("OldestAge = %v, want 0", got)
	}
}
