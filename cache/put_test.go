package cache

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestPutAtTheBound(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxEntries: 2})
	c.Put("a", 1)
	e, _ := c.TryTake() // a leased entry does not count
	c.Put("b", 1)
	c.Put("c", 1)
	if err := c.Put("d", 1); !errors.Is(err, ErrFull) {
		t.Errorf("a new key: %v, want ErrFull", err)
	}
	if err := c.Put("a", 2); !errors.Is(err, ErrFull) {
		t.Errorf("a leased key, of which nothing waits: %v, want ErrFull", err)
	}
	if err := c.Put("b", 2); err != nil {
		t.Errorf("a waiting key: %v", err)
	}
	if !c.Return(e, 0) || c.Len() != 3 {
		t.Error("a returned entry did not fit")
	}
	if err := c.Put("a", 2); err != nil {
		t.Errorf("the returned key: %v", err)
	}
}

func TestPutAfterClose(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	c.Close()
	c.Close()
	arrival := Arrival[string, int]{Key: "a", Value: 2}
	_, errWait := c.AdmitWait(t.Context(), arrival)
	for name, err := range map[string]error{
		"Put":       c.Put("a", 2),
		"PutAt":     c.PutAt("a", 2, time.Now()),
		"Admit":     c.Admit(arrival),
		"PutWait":   c.PutWait(t.Context(), "a", 2),
		"AdmitWait": errWait,
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
	if v, _ := c.Get("a"); v != 1 {
		t.Errorf("%d waits, want 1", v)
	}
}

// A panic reaches the caller, counts nothing and leaves the cache usable.
func TestPutPanics(t *testing.T) {
	explode := func(_, v int) int {
		if v < 0 {
			panic("no")
		}
		return v
	}
	for name, o := range map[string]Options[string, int]{
		"Merge":            {Merge: explode},
		"Newer":            {Newer: func(w, a int) bool { return explode(w, a) > w }},
		"Newer and no Max": {Merge: Sum[int], Newer: func(w, a int) bool { return explode(w, a) > w }},
	} {
		c := mustNew(t, o)
		c.Put("a", 1)
		before := c.Ledger()
		for _, put := range []func() error{
			func() error { return c.Put("a", -1) },
			func() error { return c.PutWait(t.Context(), "a", -1) },
		} {
			func() {
				defer func() {
					if recover() != "no" {
						t.Errorf("%s: the panic did not reach the caller", name)
					}
				}()
				put()
			}()
		}
		if v, _ := c.Get("a"); v != 1 || c.Ledger() != before {
			t.Errorf("%s: %d waits and the ledger is %+v, want 1 and %+v", name, v, c.Ledger(), before)
		}
		if err := c.Put("a", 2); err != nil {
			t.Errorf("%s: the next put: %v", name, err)
		}
	}
}

func TestArrivalTimeZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		time.Sleep(time.Second)
		c.Admit(Arrival[string, int]{Key: "now", Value: 1})
		if e, _ := c.TryTake(); e.Wait() != 0 {
			t.Errorf("an Arrival without a time waited %v, want 0", e.Wait())
		}
		// The ages of such entries used to overflow, and All put them last.
		c.Put("now", 1)
		c.PutAt("first", 1, time.Time{})
		var order []string
		for e := range c.All() {
			order = append(order, e.Key)
		}
		if c.OldestAge() <= 0 || order[0] != "first" {
			t.Errorf("the zero time is %v old, and the order %v", c.OldestAge(), order)
		}
	})
}

func TestNewer(t *testing.T) {
	greater := func(waiting, arriving int) bool { return arriving > waiting }
	join := func(waiting, arriving []int) []int { return slices.Concat(waiting, arriving) }

	t.Run("replacing", func(t *testing.T) {
		var stale []int
		c := mustNew(t, Options[string, int]{Newer: greater, OnDrop: func(e Entry[string, int], r Reason) {
			if r == Stale {
				stale = append(stale, e.Value)
			}
		}})
		c.Put("a", 5)
		c.Put("a", 4)
		c.Put("a", 5) // as new is not newer
		e, _ := c.TryTake()
		c.Put("a", 3) // against the leased one
		c.Return(e, time.Hour)
		c.Put("a", 2) // against the one that backs off
		if want := []int{4, 5, 3, 2}; !slices.Equal(stale, want) || c.Ledger().Stale != 4 {
			t.Errorf("stale are %v, want %v", stale, want)
		}
		c.Put("a", 6)
		if v, _ := c.Get("a"); v != 6 {
			t.Errorf("%d waits, want 6", v)
		}
	})

	t.Run("of what is done it knows nothing", func(t *testing.T) {
		c := mustNew(t, Options[string, int]{Newer: greater})
		c.Put("a", 5)
		takeAll(c)
		c.Put("a", 4)
		if v, ok := c.Get("a"); !ok || v != 4 {
			t.Errorf("Get = %d, %v, want 4", v, ok)
		}
	})

	t.Run("merging", func(t *testing.T) {
		c := mustNew(t, Options[string, []int]{Merge: join, Newer: func(waiting, arriving []int) bool {
			return arriving[0] > waiting[len(waiting)-1]
		}})
		c.Put("a", []int{5})
		c.Put("a", []int{4})
		e, _ := c.TryTake()
		c.Put("a", []int{3}) // queues behind the lease
		if got, want := e.Value, []int{4, 5}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
		c.Return(e, 0)
		if got, _ := c.Get("a"); !slices.Equal(got, []int{3, 4, 5}) {
			t.Errorf("returned to %v, want [3 4 5]", got)
		}
	})
}

// The zero time is before all others, also where it is the first that comes.
func TestTheFirstStampIsTheZeroTime(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.PutAt("zero", 1, time.Time{})
	c.PutAt("early", 1, time.Now().Add(-time.Hour))
	if e, _ := c.TryTake(); e.Key != "zero" || e.Wait() < time.Hour {
		t.Errorf("took %s, which has waited %v", e.Key, e.Wait())
	}
}

// The stamp that is kept from the last put is not mistaken for another: not for
// one of the wall clock only, nor for the same instant elsewhere.
func TestStampsOfAllKinds(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	now := time.Now()
	stamps := []time.Time{
		now, now, now.Add(1), now.Round(0), now.UTC(), now.Add(-time.Hour), now,
		{}, time.Time{}.In(time.Local), now.Add(1 << 62), now.Round(0).Add(time.Hour), now,
	}
	for key, at := range stamps {
		for range 2 {
			c.PutAt(key, 0, at)
		}
		c.Put(-1, 0)
	}
	for e := range c.All() {
		if e.Key < 0 {
			continue
		}
		want := within(stamps[e.Key].Sub(c.base))
		if got := c.slots.get(e.Key).head; got.at != want || got.newest != want {
			t.Errorf("stamp %v: at %v, newest %v, want %v", stamps[e.Key], got.at, got.newest, want)
		}
	}
}

// An operation that is none is refused by its name, and counted.
func TestUnknownOperation(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	a := arrival{Key: "a", Value: 2, Op: Append + 1}
	_, _, errBatch := c.AdmitBatch(t.Context(), []arrival{a})
	_, errWait := c.AdmitWait(t.Context(), a)
	for name, err := range map[string]error{"Admit": c.Admit(a), "AdmitWait": errWait, "AdmitBatch": errBatch} {
		if err == nil || err.Error() != "cache: unknown operation Op(5)" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l := c.Ledger(); l != (Ledger{Puts: 4, Inserted: 1, Rejected: 3, Waiting: 1}) {
		t.Errorf("ledger %+v", l)
	}
}
