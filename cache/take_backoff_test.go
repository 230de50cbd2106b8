package cache

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// The end of a back-off wakes a taker to the nanosecond, whether the taker was
// there before or comes later, and whichever back-off ends first.
func TestTakeWakesAtTheEndOfABackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("slow", 1)
		c.Put("fast", 1)
		slow, _ := c.TryTake()
		fast, _ := c.TryTake()
		early := []<-chan taken{goTake(t.Context(), c), goTake(t.Context(), c)}
		c.Return(slow, 5*time.Second+1)
		c.Return(fast, 3*time.Second)

		time.Sleep(3*time.Second - 1)
		synctest.Wait()
		if len(early[0])+len(early[1]) > 0 || c.Eligible() != 0 || c.Len() != 2 {
			t.Fatalf("%d eligible before the end of the back-off", c.Eligible())
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if len(early[0])+len(early[1]) != 1 {
			t.Fatal("the end of the first back-off woke not one taker")
		}
		time.Sleep(2*time.Second + 1)
		synctest.Wait()
		for _, result := range early {
			e := <-result
			want := map[string]time.Duration{"fast": -2*time.Second - 1, "slow": 0}[e.entry.Key]
			if e.err != nil || time.Until(e.at) != want || e.entry.Attempts != 2 {
				t.Errorf("took %q %v from now, %v, want %v", e.entry.Key, time.Until(e.at), e.err, want)
			}
			c.Return(e.entry, time.Second)
		}
		late := goTake(t.Context(), c)
		time.Sleep(time.Second)
		c.Done(expect(t, late, "slow")) // the first of the two by position
	})
}

// Every taker minds the back-off: any of them may have left by its end.
func TestBackOffEndsThoughATakerHasLeft(t *testing.T) {
	for leaver := range 2 {
		synctest.Test(t, func(t *testing.T) {
			c := mustNew(t, Options[string, int]{})
			c.Put("a", 1)
			a, _ := c.TryTake()
			var takers [2]<-chan taken
			var cancels [2]context.CancelFunc
			for i := range takers {
				var ctx context.Context
				ctx, cancels[i] = context.WithCancel(t.Context())
				takers[i] = goTake(ctx, c)
			}
			c.Return(a, time.Second)
			synctest.Wait()
			cancels[leaver]()
			time.Sleep(time.Second)
			expect(t, takers[1-leaver], "a")
			cancels[1-leaver]()
		})
	}
}

func TestWaitEndsWithABackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		for range 2 {
			e, _ := c.TryTake()
			c.Return(e, time.Second)
			start := time.Now()
			if err := c.Wait(t.Context()); err != nil || time.Since(start) != time.Second {
				t.Errorf("Wait: %v after %v, want 1s", err, time.Since(start))
			}
		}
	})
}

// A key that backs off keeps its position and goes on merging.
func TestBackOffHoldsTheKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{Merge: Sum[int]})
		c.Put("a", 1)
		a, _ := c.TryTake()
		c.Put("b", 1)
		c.Return(a, time.Second)
		c.Put("a", 2)
		if e, _ := c.TryTake(); e.Key != "b" {
			t.Errorf("took %q, want b", e.Key)
		}
		if _, ok := c.TryTake(); ok {
			t.Error("a key in back-off was handed out")
		}
		time.Sleep(time.Second)
		c.Put("c", 1)
		if e, _ := c.TryTake(); e.Key != "a" || e.Value != 3 || e.Merged != 1 {
			t.Errorf("took %+v, want a with 3", e)
		}
	})
}

// beginning of the wait.
func TestBackOffThatBeginsDuringAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		a, _ := c.TryTake()
		taker := goTake(t.Context(), c)
		time.Sleep(3 * time.Second)
		c.Return(a, 5*time.Second)
		time.Sleep(5 * time.Second)
		expect(t, taker, "a")
	})
}

// goes to one that waits.
func TestTakerLeavesTheLineAtTheEndOfABackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		a, _ := c.TryTake()
		c.Return(a, time.Second)
		taker := goTake(t.Context(), c)
		time.Sleep(time.Second)
		expect(t, taker, "a")
		next := goTake(t.Context(), c)
		c.Put("b", 1)
		expect(t, next, "b")
	})
}
