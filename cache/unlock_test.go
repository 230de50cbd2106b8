package cache

import (
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// OnDrop is told outside the lock: it may use the cache, and even drop more.
func TestOnDropMayUseTheCache(t *testing.T) {
	var c *Cache[string, int]
	var dropped []string
	c = mustNew(t, Options[string, int]{
		MaxEntries: 1, Overflow: EvictOldest,
		OnDrop: func(e Entry[string, int], _ Reason) {
			dropped = append(dropped, e.Key)
			if n := len(dropped); n < 4 {
				c.Put(strconv.Itoa(n), 0) // evicts the one that evicted
			}
		},
	})
	c.Put("first", 0)
	c.Put("second", 0)
	if want := []string{"first", "second", "1", "2"}; !slices.Equal(dropped, want) {
		t.Errorf("dropped %v, want %v", dropped, want)
	}
	if l := c.Ledger(); l.Evicted != 4 || l.Waiting != 1 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
}

// Every way that a value can be dropped is reported, once, with its reason, and
// whatever operation notices it.
func TestEveryDropIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counts := make(map[Reason]uint64)
		c := mustNew(t, Options[string, int]{
			MaxEntries: 2, Overflow: EvictOldest, Annihilate: true, MaxAge: time.Second, Expiry: Drop,
			Newer:  func(waiting, arriving int) bool { return arriving > waiting },
			OnDrop: func(_ Entry[string, int], r Reason) { counts[r]++ },
		})
		c.Put("a", 5)
		c.Put("a", 4) // stale
		c.Put("b", 1)
		c.Put("c", 1) // evicts a
		e, _ := c.TryTake()
		c.GiveUp(e)
		c.Admit(Arrival[string, int]{Key: "d", Value: 1, Op: Insert})
		c.Delete("d", 2)
		time.Sleep(2 * time.Second)
		c.Eligible() // c expires
		want := map[Reason]uint64{Stale: 1, Evicted: 1, Dead: 1, Annihilated: 2, Expired: 1}
		for r := Evicted; r <= Dead; r++ {
			if counts[r] != want[r] {
				t.Errorf("%d %v, want %d", counts[r], r, want[r])
			}
		}
		if l := c.Ledger(); l != (Ledger{Puts: 6, Inserted: 4, Stale: 1, Annihilated: 1, Evicted: 1, Expired: 1, Dead: 1}) {
			t.Errorf("ledger %+v", l)
		}
	})
}

// Room for many wakes all that it is enough for, one after the other.
func TestRoomForManyWakesMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxBytes: 10, SizeOf: sized})
		c.Put("large", 10)
		for i, size := range []int{3, 3, 3, 3} {
			go c.PutWait(t.Context(), strconv.Itoa(i), size)
			synctest.Wait()
		}
		e, _ := c.TryTake()
		c.Done(e)
		synctest.Wait()
		if l := c.Ledger(); l.Waiting != 3 || l.Bytes != 9 {
			t.Errorf("%d entries of %d bytes wait, want 3 of 9", l.Waiting, l.Bytes)
		}
		takeAll(c)
		synctest.Wait()
		takeAll(c)
	})
}
