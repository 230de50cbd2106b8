package cache

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The oldest goes, be it eligible, behind a lease or in back-off.
func TestEvictOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fill(t)
		var dropped []string
		c.options.OnDrop = func(e Entry[string, int], r Reason) {
			if c.Len(); r == Evicted { // outside the lock
				dropped = append(dropped, e.Key)
			}
		}
		for _, key := range []string{"d", "e", "f"} {
			if err := c.Put(key, 1); err != nil {
				t.Errorf("Put: %v", err)
			}
		}
		if want := []string{"b", "a", "c"}; !slices.Equal(dropped, want) {
			t.Errorf("dropped %v, want %v", dropped, want)
		}
		l := c.Ledger()
		if l.Evicted != 3 || l.Waiting != 3 || l.Leased != 1 || l.Check() != nil {
			t.Errorf("ledger %+v: %v", l, l.Check())
		}
		time.Sleep(2 * time.Hour)
		if got, want := takeAll(c), []string{"d", "e", "f"}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
	})
}

// An update of a waiting key makes no room, and the leased value is not a
// waiting one.
func TestEvictOldestOnlyForANewEntry(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxEntries: 1, Overflow: EvictOldest})
	c.Put("a", 1)
	a, _ := c.TryTake()
	c.Put("b", 1)
	c.Put("b", 2)
	if l := c.Ledger(); l.Evicted != 0 {
		t.Errorf("%d evicted, want 0", l.Evicted)
	}
	c.Put("a", 2)
	if l := c.Ledger(); l.Evicted != 1 || l.Leased != 1 {
		t.Errorf("ledger %+v", l)
	}
	c.Done(a)
	if got := takeAll(c); !slices.Equal(got, []string{"a"}) {
		t.Errorf("took %v, want a", got)
	}
}

func TestEvictedEntryTellsItsMaking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got Entry[string, int]
		c := mustNew(t, Options[string, int]{
			MaxEntries: 1, Overflow: EvictOldest,
			OnDrop: func(e Entry[string, int], _ Reason) { got = e },
		})
		c.Admit(Arrival[string, int]{Key: "a", Value: 1, Sequence: 4})
		c.Put("a", 2)
		time.Sleep(time.Second)
		c.Put("b", 1)
		if got.Key != "a" || got.Value != 2 || got.Merged != 1 || got.First != 4 || got.Wait() != time.Second {
			t.Errorf("dropped %+v after %v", got, got.Wait())
		}
		if c.GiveUp(got) {
			t.Error("a dropped entry has no lease")
		}
	})
}
