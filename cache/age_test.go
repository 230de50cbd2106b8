package cache

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

const maxAge = time.Second

// An entry is over age when it is older than MaxAge, by its first value, and
// dropped at the next take.
func TestExpiry(t *testing.T) {
	takes := map[string]func(*Cache[string, int]){
		"TryTake":   func(c *Cache[string, int]) { c.TryTake() },
		"TakeBatch": func(c *Cache[string, int]) { c.TakeBatch(context.Background(), make([]Entry[string, int], 9)) },
		"Wait":      func(c *Cache[string, int]) { c.Wait(context.Background()) },
		"Eligible":  func(c *Cache[string, int]) { c.Eligible() },
	}
	for name, take := range takes {
		synctest.Test(t, func(t *testing.T) {
			var dropped []Entry[string, int]
			c := mustNew(t, Options[string, int]{
				MaxAge: maxAge, Expiry: Drop,
				OnDrop: func(e Entry[string, int], r Reason) {
					if r == Expired {
						dropped = append(dropped, e)
					}
				},
			})
			c.Put("old", 1)
			time.Sleep(time.Nanosecond)
			c.Put("just", 1)
			time.Sleep(maxAge)
			c.Put("old", 2) // resets nothing
			c.Get("old")
			c.Len()
			if len(dropped) > 0 || c.Len() != 2 {
				t.Errorf("%s: dropped before a take", name)
			}
			take(c)
			if len(dropped) != 1 || dropped[0].Key != "old" || dropped[0].Value != 2 || dropped[0].Wait() != maxAge+1 {
				t.Errorf("%s: dropped %+v, want old", name, dropped)
			}
			if l := c.Ledger(); l.Expired != 1 || l.Waiting+l.Leased != 1 || l.Check() != nil {
				t.Errorf("%s: ledger %+v", name, l)
			}
		})
	}
}

// What has no successor stays, and nothing else is over age than what is
// eligible: a lease or a back-off holds an entry, which goes afterwards.
func TestExpiryDropsEligibleUpsertsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dropped []int
		c := mustNew(t, Options[string, int]{
			MaxAge: maxAge, Expiry: Drop, MaxEntries: 9,
			OnDrop: func(e Entry[string, int], _ Reason) { dropped = append(dropped, e.Value) },
		})
		c.Put("leased", 1)
		leased, _ := c.TryTake()
		c.Put("leased", 2)
		c.Put("delayed", 3)
		delayed, _ := c.TryTake()
		c.Return(delayed, time.Hour)
		c.Delete("delete", 0)
		c.Delete("replace", 0)
		c.Put("replace", 0)
		c.Append("append", 0)
		c.Put("append", 4) // behind it
		c.Put("line", 5)
		c.Append("line", 0)
		c.Put("line", 6)
		time.Sleep(2 * maxAge)

		if got := c.Eligible(); got != 4 || !slices.Equal(dropped, []int{5}) {
			t.Errorf("%d eligible, dropped %v, want 4, and 5 dropped", got, dropped)
		}
		c.Done(leased)
		c.Eligible()
		if !slices.Equal(dropped, []int{5, 2}) {
			t.Errorf("the lease has ended: dropped %v", dropped)
		}
		if got, want := takeAll(c), []string{"delete", "replace", "append", "line"}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
		if !slices.Equal(dropped, []int{5, 2, 4, 6}) {
			t.Errorf("the appended values are gone: dropped %v", dropped)
		}
		time.Sleep(time.Hour)
		if _, ok := c.TryTake(); ok || !slices.Equal(dropped, []int{5, 2, 4, 6, 3}) {
			t.Errorf("the back-off has ended: dropped %v", dropped)
		}
	})
}

// An expiry makes room, and a Take goes on waiting.
func TestExpiryMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxAge: maxAge, Expiry: Drop, MaxEntries: 1})
		c.Put("a", 1)
		time.Sleep(2 * maxAge)
		go c.PutWait(t.Context(), "b", 1)
		synctest.Wait()
		taker := goTake(t.Context(), c)
		expect(t, taker, "b")
	})
}

// The last entries may expire: then a Take after Close ends.
func TestExpiryOfTheLastEntryEndsTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxAge: maxAge, Expiry: Drop})
		c.Put("a", 1)
		c.Close()
		time.Sleep(2 * maxAge)
		if _, err := c.Take(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("Take: %v, want ErrClosed", err)
		}
	})
}

func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{
			MaxAge:    maxAge,
			HeadStart: func(key string, _ int) time.Duration { return map[string]time.Duration{"high": time.Hour}[key] },
		})
		if _, ok := c.TryTakeOverdue(); ok || c.Overdue() {
			t.Error("an empty cache is overdue")
		}
		c.Put("a", 1)
		c.Put("high", 1)
		time.Sleep(maxAge)
		if _, ok := c.TryTakeOverdue(); ok || c.Overdue() {
			t.Error("overdue at MaxAge")
		}
		c.Put("a", 2) // resets nothing
		time.Sleep(time.Nanosecond)
		c.Put("young", 1)
		var got []string
		for c.Overdue() {
			e, ok := c.TryTakeOverdue()
			if !ok {
				t.Fatal("Overdue, but TryTakeOverdue has nothing")
			}
			if got = append(got, e.Key); len(got) == 1 {
				c.Put("a", 3) // behind its lease
			}
		}
		if want := []string{"a", "high"}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
		if _, ok := c.TryTakeOverdue(); ok {
			t.Error("took what is not overdue")
		}
		if l := c.Ledger(); l.Expired != 0 || l.Leased != 2 || l.Waiting != 2 || l.Check() != nil {
			t.Errorf("ledger %+v", l)
		}
	})
}

// Overdue counts eligible entries only, and looks at back-offs that are over.
func TestOverdueAfterABackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxAge: maxAge})
		for _, ask := range []func() bool{c.Overdue, func() bool { _, ok := c.TryTakeOverdue(); return ok }} {
			c.Delete("a", 1) // what is never dropped is overdue all the same
			e, _ := c.TryTake()
			c.Return(e, 2*maxAge)
			time.Sleep(2*maxAge - 1)
			if ask() {
				t.Error("overdue in back-off")
			}
			time.Sleep(time.Nanosecond)
			if !ask() {
				t.Error("not overdue after the back-off")
			}
			takeAll(c)
		}
	})
}

func TestNothingIsOverdueWithoutMaxAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, o := range []Options[string, int]{{}, {MaxAge: maxAge, Expiry: Drop}} {
			c := mustNew(t, o)
			c.Put("a", 1)
			time.Sleep(time.Hour)
			if _, ok := c.TryTakeOverdue(); ok || c.Overdue() || c.Len() != 1 {
				t.Errorf("%+v: overdue", o)
			}
		}
	})
}

// them before it returns.
func TestTakeThatEndsTellsWhatExpired(t *testing.T) {
	for name, wait := range map[string]func(*Cache[string, int], context.Context) error{
		"Take": func(c *Cache[string, int], ctx context.Context) error { _, err := c.Take(ctx); return err },
		"Wait": (*Cache[string, int]).Wait,
	} {
		synctest.Test(t, func(t *testing.T) {
			dropped := 0
			c := mustNew(t, Options[string, int]{
				MaxAge: time.Second, Expiry: Drop,
				OnDrop: func(Entry[string, int], Reason) { dropped++ },
			})
			c.Put("a", 1)
			c.Put("b", 1)
			c.Close()
			time.Sleep(2 * time.Second)
			if err := wait(c, t.Context()); !errors.Is(err, ErrClosed) || dropped != 2 {
				t.Errorf("%s: %v, %d drops are told, want ErrClosed and 2", name, err, dropped)
			}
		})
	}
}
