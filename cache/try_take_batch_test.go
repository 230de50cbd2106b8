package cache

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// takeAt takes one entry at the time given.
func takeAt[K comparable, V any](c *Cache[K, V], at time.Time) (Entry[K, V], bool) {
	var one [1]Entry[K, V]
	n := c.TryTakeBatch(at, one[:])
	return one[0], n == 1
}

// TryTakeBatch goes by the time given: for what is taken and when, for back-offs
// and for ages.
func TestTryTakeBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dropped []string
		c := mustNew(t, Options[string, int]{MaxAge: time.Minute, Expiry: Drop, OnDrop: func(e Entry[string, int], r Reason) {
			dropped = append(dropped, e.Key+" "+r.String())
		}})
		start := time.Now()
		c.PutAt("a", 1, start)
		c.PutAt("b", 2, start.Add(30*time.Second))
		e, ok := takeAt(c, start.Add(10*time.Second))
		if !ok || e.Key != "a" || e.Wait() != 10*time.Second || e.Age() != e.Wait() || !e.Taken.Equal(start.Add(10*time.Second)) {
			t.Errorf("took %+v, %v", e, ok)
		}
		if got := c.OldestLease(); got != 0 { // it is not 10 s from now yet
			t.Errorf("OldestLease = %v", got)
		}
		c.Return(e, 20*time.Second)
		if e, ok = takeAt(c, start.Add(61*time.Second)); !ok || e.Key != "b" {
			t.Errorf("took %+v, %v, want b", e, ok)
		}
		if want := []string{"a expired"}; !slices.Equal(dropped, want) {
			t.Errorf("dropped %v, want %v", dropped, want)
		}
		if e, ok = takeAt(c, start); ok {
			t.Errorf("took %+v, with nothing there", e)
		}
	})
}

// Whatever the time given, a returned entry finds its way back.
func TestTryTakeBatchAnyTimeAndBack(t *testing.T) {
	for name, at := range map[string]time.Time{
		"zero": {}, "wall": time.Now().Round(0), "past": time.Now().Add(-time.Hour), "distant": time.Now().Add(math.MaxInt64),
	} {
		c := mustNew(t, Options[string, int]{})
		now := time.Now()
		c.PutAt("a", 1, now.Add(-time.Second))
		c.PutAt("b", 1, now)
		was := c.slots.get("b").head
		a, _ := takeAt(c, at)
		b, _ := takeAt(c, at)
		if a.Taken != at {
			t.Errorf("%s: taken at %v, want %v", name, a.Taken, at)
		}
		c.Return(b, 0)
		if is := c.slots.get("b").head; is.at != was.at || is.newest != was.newest || is.sequence != was.sequence {
			t.Errorf("%s: %+v has become %+v", name, was, is)
		}
		c.Return(a, 0)
		if got := takeAll(c); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%s: took %v, want a b", name, got)
		}
	}
}
