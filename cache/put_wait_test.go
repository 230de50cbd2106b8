package cache

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPutWaitMergesIfItsKeyWaitsByThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 2, Merge: Sum[int]})
		c.Put("a", 0)
		c.Put("b", 0)
		for _, v := range []int{1, 2} {
			go c.PutWait(t.Context(), "c", v)
			synctest.Wait()
		}
		// Room for both, of which they need one. takeAll could take theirs too.
		c.TakeBatch(t.Context(), make([]Entry[string, int], 2))
		synctest.Wait()
		if v, _ := c.Get("c"); v != 3 || c.Len() != 1 {
			t.Errorf("%d waits among %d, want 3 among 1", v, c.Len())
		}
		if l := c.Ledger(); l.Puts != 4 || l.Inserted != 3 || l.Merged != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

func TestPutWaitDoesNotWait(t *testing.T) {
	for overflow, want := range map[Overflow]error{Reject: ErrFull, EvictOldest: nil} {
		c := mustNew(t, Options[string, int]{MaxEntries: 1, Overflow: overflow})
		c.Put("a", 1)
		if err := c.PutWait(t.Context(), "b", 1); !errors.Is(err, want) {
			t.Errorf("Overflow %d: %v, want %v", overflow, err, want)
		}
	}
}

func TestPutWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 1)
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waited, err := c.AdmitWait(ctx, Arrival[string, int]{Key: "b", Value: 1})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second || waited != time.Second {
			t.Errorf("%v after %v, said to be %v", err, time.Since(start), waited)
		}
		if l := c.Ledger(); l.Puts != 2 || l.Rejected != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

func TestCloseWakesPutWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 1)
		errs := make(chan error, 3)
		for range cap(errs) {
			go func() { errs <- c.PutWait(t.Context(), "b", 1) }()
		}
		synctest.Wait()
		c.Close()
		for range cap(errs) {
			if err := <-errs; !errors.Is(err, ErrClosed) {
				t.Errorf("PutWait: %v, want ErrClosed", err)
			}
		}
	})
}

func TestAdmitWaitTellsHowLongItWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		if waited, err := c.AdmitWait(t.Context(), Arrival[string, int]{Key: "a"}); waited != 0 || err != nil {
			t.Errorf("with room: waited %v, %v", waited, err)
		}
		go func() {
			time.Sleep(time.Second)
			c.TryTake()
		}()
		if waited, err := c.AdmitWait(t.Context(), Arrival[string, int]{Key: "b"}); waited != time.Second || err != nil {
			t.Errorf("waited %v, %v, want 1s", waited, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if waited, err := c.AdmitWait(ctx, Arrival[string, int]{Key: "c"}); waited != time.Minute || err == nil {
			t.Errorf("in vain: waited %v, %v, want 1m", waited, err)
		}
	})
}

func TestAdmitWaitCarriesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 1)
		at := time.Now()
		go c.AdmitWait(t.Context(), Arrival[string, int]{Key: "b", Value: 1, At: at, Sequence: 9})
		time.Sleep(time.Second)
		c.TryTake()
		synctest.Wait()
		if e, _ := c.TryTake(); e.Key != "b" || e.First != 9 || !e.Inserted().Equal(at) {
			t.Errorf("took %+v", e)
		}
	})
}
