package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLeasedKeyIsNotHandedOut(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 2)
	c.Put("a", 3)
	if got, ok := c.TryTake(); ok || c.Eligible() != 0 {
		t.Errorf("took %+v while the key is leased", got)
	}
	c.Done(e)
	if got, ok := c.TryTake(); !ok || got.Value != 3 || got.Merged != 1 || got.Attempts != 1 {
		t.Errorf("took %+v, %v, want 3", got, ok)
	}
}

// What waited behind a lease has the position of its arrival.
func TestPositionBehindALease(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	a, _ := c.TryTake()
	c.Put("a", 2)
	c.Put("b", 1)
	c.Done(a)
	if got := takeAll(c); got[0] != "a" {
		t.Errorf("took %v, want a first", got)
	}
}

func TestEndingALeaseTwiceIsHarmless(t *testing.T) {
	for name, end := range map[string]func(*Cache[string, int], Entry[string, int]) bool{
		"Done":   func(c *Cache[string, int], e Entry[string, int]) bool { c.Done(e); return false },
		"Return": func(c *Cache[string, int], e Entry[string, int]) bool { return c.Return(e, 0) },
		"GiveUp": (*Cache[string, int]).GiveUp,
	} {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		old, _ := c.TryTake()
		c.Return(old, 0)
		if end(c, old) {
			t.Errorf("%s: the lease of a returned entry was open", name)
		}
		present, _ := c.TryTake() // the same entry on its second lease
		if end(c, old) || c.Ledger().Leased != 1 {
			t.Errorf("%s of the old lease ended the new one", name)
		}
		c.Done(present)
		c.Put("b", 1) // in the slot that was a's
		other, _ := c.TryTake()
		if end(c, present) || c.Ledger().Leased != 1 {
			t.Errorf("%s of a ended the lease of b", name)
		}
		c.Done(other)
		for e := range c.All() {
			if end(c, e) {
				t.Errorf("%s ended a lease of an entry that was only read", name)
			}
		}
		if end(c, Entry[string, int]{}) {
			t.Errorf("%s ended the lease of the zero entry", name)
		}
		if err := c.Ledger().Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDoneTwiceInOneCall(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Done(e, e)
	if l := c.Ledger(); l.Done != 1 || l.Leased != 0 {
		t.Errorf("ledger %+v", l)
	}
}

func TestReturnGoesBackToItsPosition(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	now := time.Now()
	for _, key := range []string{"a", "b", "c"} {
		c.PutAt(key, 1, now) // only the sequence orders them
	}
	a, _ := c.TryTake()
	b, _ := c.TryTake()
	c.Return(b, 0)
	c.Return(a, -time.Second) // as 0
	if got := takeAll(c); len(got) != 3 || got[0] != "a" || got[1] != "b" {
		t.Errorf("took %v, want a b c", got)
	}
}

func TestReturnJoinsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{Merge: Sum[int], MaxEntries: 2})
		start := time.Now()
		c.Admit(Arrival[string, int]{Key: "a", Value: 1, Sequence: 3})
		c.Put("a", 2)
		a, _ := c.TryTake()
		time.Sleep(time.Second)
		c.Put("b", 1)
		c.Admit(Arrival[string, int]{Key: "a", Value: 4, Sequence: 5})
		c.Admit(Arrival[string, int]{Key: "a", Value: 8, Sequence: 2})
		c.Close()
		if !c.Return(a, 0) {
			t.Fatal("the lease was open")
		}
		e, _ := c.TryTake()
		if e.Key != "a" || e.Value != 15 || e.Merged != 3 || e.Attempts != 2 || e.First != 2 || e.Last != 5 {
			t.Errorf("took %+v", e)
		}
		if !e.Inserted().Equal(start) || e.Age() != 0 {
			t.Errorf("inserted %v, age %v: not the position of the returned one", e.Inserted(), e.Age())
		}
		if l := c.Ledger(); l.Joined != 1 || l.Waiting != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

func TestReturnMergesTheReturnedAsTheOlder(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 2)
	c.Return(e, 0)
	if v, _ := c.Get("a"); v != 2 {
		t.Errorf("%d waits, want the newer 2", v)
	}
}

func TestReturnWhoseMergePanics(t *testing.T) {
	var dropped []Entry[string, int]
	c := mustNew(t, Options[string, int]{
		Merge: func(_, _ int) int { panic("no") },
		OnDrop: func(e Entry[string, int], r Reason) {
			if r == Dead {
				dropped = append(dropped, e)
			}
		},
	})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 2)
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic did not reach the caller")
			}
		}()
		c.Return(e, time.Hour)
	}()
	if len(dropped) != 1 || dropped[0].Value != 1 || c.Ledger().Dead != 1 {
		t.Errorf("dropped %+v, ledger %+v", dropped, c.Ledger())
	}
	if next, ok := c.TryTake(); !ok || next.Value != 2 || next.Attempts != 1 {
		t.Errorf("took %+v, %v, want what waited", next, ok)
	}
}

func TestGiveUp(t *testing.T) {
	var reason Reason
	var value int
	var c *Cache[string, int]
	c = mustNew(t, Options[string, int]{OnDrop: func(e Entry[string, int], r Reason) {
		value, reason = e.Value, r
		c.Len() // outside the lock
	}})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Put("a", 2)
	if !c.GiveUp(e) || c.GiveUp(e) {
		t.Error("the lease was open once")
	}
	if value != 1 || reason != Dead || c.Ledger().Dead != 1 {
		t.Errorf("dropped %d as %v", value, reason)
	}
	if next, ok := c.TryTake(); !ok || next.Value != 2 {
		t.Errorf("took %+v, %v, want what waited", next, ok)
	}
}

// An entry of one cache ends no lease of another.
func TestEntriesOfAnotherCache(t *testing.T) {
	c, other := mustNew(t, Options[string, int]{}), mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	other.Put("a", 1)
	mine, _ := c.TryTake()
	theirs, _ := other.TryTake()
	c.Done(theirs)
	if c.Return(theirs, 0) || c.GiveUp(theirs) || c.Revoke(theirs) || c.Ledger().Leased != 1 {
		t.Errorf("an entry of another cache ended a lease: %+v", c.Ledger())
	}
	if c.Done(mine); other.Ledger().Leased != 1 {
		t.Error("the lease of the other cache has ended")
	}
}
