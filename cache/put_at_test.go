package cache

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A taker that waits is woken by a PutAt into a slot that idles, too.
func TestPutAtIntoAnIdleSlotWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		takeAll(c)
		taken := make(chan int, 1)
		go func() {
			e, _ := c.Take(t.Context())
			taken <- e.Value
		}()
		synctest.Wait()
		c.PutAt("a", 2, time.Now())
		synctest.Wait()
		select {
		case v := <-taken:
			if v != 2 {
				t.Errorf("took %d, want 2", v)
			}
		default:
			t.Error("the taker sleeps")
		}
	})
}

// PutAt into a slot that idles, or behind a lease, keeps to the bounds and to what
// Newer says.
func TestPutAtIntoASlotOfWhichNothingWaits(t *testing.T) {
	at := time.Now()
	c := mustNew(t, Options[string, int]{MaxEntries: 1})
	c.PutAt("a", 1, at)
	takeAll(c)
	c.PutAt("b", 1, at)
	if err := c.PutAt("a", 2, at); !errors.Is(err, ErrFull) || c.Len() != 1 {
		t.Errorf("idle: %v, %d wait", err, c.Len())
	}
	c = mustNew(t, Options[string, int]{Newer: func(waiting, arriving int) bool { return arriving > waiting }})
	c.PutAt("a", 2, at)
	c.TryTake()
	if err := c.PutAt("a", 1, at); err != nil || c.Len() != 0 || c.Ledger().Stale != 1 {
		t.Errorf("leased: %v, ledger %+v", err, c.Ledger())
	}
}
