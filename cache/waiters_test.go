package cache

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// inBothOrders runs a test in a bubble, once for each order of an event that
// wakes a goroutine and the end of its context. On one processor the goroutine
// runs only when both have come to pass.
func inBothOrders(t *testing.T, test func(t *testing.T, both func(event, cancel func()))) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, both := range map[string]func(event, cancel func()){
		"woken, then cancelled": func(event, cancel func()) { event(); cancel() },
		"cancelled, then woken": func(event, cancel func()) { cancel(); event() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, func(event, cancel func()) {
					both(event, cancel)
					synctest.Wait()
				})
			})
		})
	}
}

// A taker that is woken at the moment its context ends must use its wake or
// pass it on. It used to return the error of its context and to keep the wake,
// so that an entry stood eligible while another taker slept.
func TestCancelledTakePassesItsWakeOn(t *testing.T) {
	waits := map[string]func(*Cache[string, int], context.Context) error{
		"Take": func(c *Cache[string, int], ctx context.Context) error {
			_, err := c.Take(ctx) // Done would hide a lost wake
			return err
		},
		"Wait": (*Cache[string, int]).Wait,
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			inBothOrders(t, func(t *testing.T, both func(event, cancel func())) {
				c := mustNew(t, Options[string, int]{})
				ctx, cancel := context.WithCancel(t.Context())
				go wait(c, ctx)
				synctest.Wait()
				next := goTake(t.Context(), c)
				both(func() { c.Put("a", 1) }, cancel)
				if len(next) == 0 && c.Eligible() > 0 {
					t.Error("an entry is eligible and a taker sleeps")
				}
				c.Close()
			})
		})
	}
}

// A put that is woken as its context ends uses its room or leaves it to the
// next one.
func TestCancelledPutWaitPassesItsWakeOn(t *testing.T) {
	inBothOrders(t, func(t *testing.T, both func(event, cancel func())) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 1)
		ctx, cancel := context.WithCancel(t.Context())
		go c.PutWait(ctx, "b", 1)
		synctest.Wait()
		go c.PutWait(t.Context(), "c", 1)
		synctest.Wait()
		both(func() { c.TryTake() }, cancel)
		if c.Len() == 0 {
			t.Error("there is room and a put waits")
		}
		c.Close()
	})
}

// Waiting allocates nothing in the long run.
func TestWaitersAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		for range 10 {
			taker := goTake(t.Context(), c)
			c.Put("a", 1)
			e := expect(t, taker, "a")
			c.Put("b", 1)
			go c.PutWait(t.Context(), "c", 1)
			synctest.Wait()
			takeAll(c)
			synctest.Wait()
			c.Done(e)
			takeAll(c)
			goTake(ended(), c)
			if len(c.takers.idle) != 1 || len(c.putters.idle) != 1 {
				t.Fatalf("%d takers and %d putters to use again, want 1 and 1", len(c.takers.idle), len(c.putters.idle))
			}
		}
	})
}

// Room goes to the put that has waited longest, even when several have been
// woken or a newcomer comes in between. Both used to overtake.
func TestPutWaitIsFirstInFirstOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("0", 0)
		const n = 20
		for i := 1; i <= n; i++ {
			go func() { c.PutWait(t.Context(), strconv.Itoa(i), i) }()
			synctest.Wait()
		}
		var got, want []int
		for i := range n + 1 {
			e, _ := c.TryTake()
			c.Done(e, e) // another chance to wake a second put
			if err := c.Put("newcomer", -1); i < n && !errors.Is(err, ErrFull) {
				t.Fatalf("a newcomer got %v, but the room belongs to the put that was woken", err)
			}
			got, want = append(got, e.Value), append(want, i)
			synctest.Wait()
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// All the room of a batch belongs to those who wait, not to a newcomer.
func TestPutWaitGetsTheRoomOfABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 3})
		for i := range 6 {
			go func() { c.PutWait(t.Context(), strconv.Itoa(i), i) }()
			synctest.Wait()
		}
		batch := make([]Entry[string, int], 3)
		if n, err := c.TakeBatch(t.Context(), batch); n != 3 || err != nil {
			t.Fatalf("TakeBatch = %d, %v", n, err)
		}
		if err := c.Put("newcomer", -1); !errors.Is(err, ErrFull) {
			t.Errorf("a newcomer got %v, want ErrFull", err)
		}
		synctest.Wait()
		if got := c.Len(); got != 3 {
			t.Errorf("%d entries wait, want 3", got)
		}
	})
}

// A returned entry may fill the cache over its bound after a waiting put has
// been given room. The put keeps the room, and its turn.
func TestPutWaitKeepsItsTurnWhenAnEntryIsReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("0", 0)
		for i := 1; i <= 2; i++ {
			go func() { c.PutWait(t.Context(), strconv.Itoa(i), i) }()
			synctest.Wait()
			time.Sleep(time.Millisecond)
		}
		e, _ := c.TryTake()
		c.Return(e, 0)
		synctest.Wait()
		if got := c.Len(); got != 2 {
			t.Errorf("%d entries wait, want the returned one and the first put", got)
		}
		var got []int
		for range 3 {
			e, _ := c.TryTake()
			c.Done(e)
			synctest.Wait()
			got = append(got, e.Value)
		}
		if want := []int{0, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// taker used to stay in the line, where it took the wake of the next one.
func TestTakerWhoseOnDropPanicsLeavesTheLine(t *testing.T) {
	for name, wait := range map[string]func(*Cache[string, int], context.Context) error{
		"Take": func(c *Cache[string, int], ctx context.Context) error { _, err := c.Take(ctx); return err },
		"Wait": (*Cache[string, int]).Wait,
	} {
		synctest.Test(t, func(t *testing.T) {
			c := mustNew(t, Options[string, int]{
				MaxAge: time.Second, Expiry: Drop,
				OnDrop: func(Entry[string, int], Reason) { panic("no") },
			})
			c.Put("old", 1)
			time.Sleep(2 * time.Second)
			func() {
				defer func() {
					if r := recover(); r != "no" {
						t.Errorf("%s: recovered %v", name, r)
					}
				}()
				wait(c, t.Context())
			}()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			next := goTake(ctx, c)
			c.Put("a", 1)
			expect(t, next, "a")
		})
	}
}
