package cache

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// taken is what a Take in another goroutine came to.
type taken struct {
	entry Entry[string, int]
	err   error
	at    time.Time
}

// goTake starts a Take and lets it come to its wait.
func goTake(ctx context.Context, c *Cache[string, int]) <-chan taken {
	result := make(chan taken, 1)
	go func() {
		e, err := c.Take(ctx)
		result <- taken{e, err, time.Now()}
	}()
	synctest.Wait()
	return result
}

// expect fails unless the Take has ended just now, with that key.
func expect(t *testing.T, result <-chan taken, key string) Entry[string, int] {
	t.Helper()
	synctest.Wait()
	select {
	case got := <-result:
		if got.err != nil || got.entry.Key != key || !got.at.Equal(time.Now()) {
			t.Errorf("took %q at %v, %v, want %q at %v", got.entry.Key, got.at, got.err, key, time.Now())
		}
		return got.entry
	default:
		t.Fatalf("Take still waits for %q", key)
		return Entry[string, int]{}
	}
}

func TestTakeWakesOnArrivalAndOnTheEndOfALease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		ends := map[string]func(Entry[string, int]){
			"Done":   func(e Entry[string, int]) { c.Done(e) },
			"GiveUp": func(e Entry[string, int]) { c.GiveUp(e) },
			"Return": func(e Entry[string, int]) { c.Return(e, 0) },
		}
		for name, end := range ends {
			arrival := goTake(t.Context(), c)
			time.Sleep(time.Second)
			c.Put("a", 1)
			e := expect(t, arrival, "a")

			next := goTake(t.Context(), c)
			c.Put("a", 2) // the key is leased
			time.Sleep(time.Second)
			if len(next) > 0 {
				t.Fatal("a leased key was handed out")
			}
			end(e)
			e = expect(t, next, "a")
			if e.Value != 2 {
				t.Errorf("after %s: took %d, want 2", name, e.Value)
			}
			c.Done(e)
		}
	})
}

func TestTakeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Take(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("Take: %v after %v", err, time.Since(start))
		}
		if err := c.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait: %v", err)
		}
		c.Put("a", 1)
		if _, err := c.Take(ctx); !errors.Is(err, context.DeadlineExceeded) || c.Len() != 1 {
			t.Errorf("Take with an ended context: %v, %d wait", err, c.Len())
		}
	})
}

func TestOneArrivalWakesOneTaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		takers := []<-chan taken{goTake(t.Context(), c), goTake(t.Context(), c), goTake(t.Context(), c)}
		count := func() (n int) {
			synctest.Wait()
			for _, result := range takers {
				n += len(result)
			}
			return n
		}
		for want, key := range []string{"a", "b", "c"} {
			c.Put(key, 1)
			if got := count(); got != want+1 {
				t.Errorf("%d takers are back after %d arrivals", got, want+1)
			}
		}
	})
}

// Entries that become eligible at once wake as many takers.
func TestDoneOfABatchWakesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		batch := make([]Entry[string, int], 3)
		for _, key := range []string{"a", "b", "c"} {
			c.Put(key, 1)
		}
		if n, err := c.TakeBatch(t.Context(), batch); n != 3 || err != nil {
			t.Fatalf("TakeBatch = %d, %v", n, err)
		}
		for _, key := range []string{"a", "b", "c"} {
			c.Put(key, 2)
		}
		takers := []<-chan taken{goTake(t.Context(), c), goTake(t.Context(), c), goTake(t.Context(), c)}
		c.Done(batch...)
		synctest.Wait()
		for i, result := range takers {
			if len(result) != 1 {
				t.Errorf("taker %d sleeps", i)
			}
		}
		c.Close()
	})
}

func TestTakeBatchTakesWhatIsThere(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	if n, err := c.TakeBatch(t.Context(), nil); n != 0 || err != nil {
		t.Errorf("an empty batch: %d, %v", n, err)
	}
	c.Put("a", 1)
	c.Put("b", 2)
	entries := make([]Entry[string, int], 5)
	n, err := c.TakeBatch(t.Context(), entries)
	if n != 2 || err != nil || entries[0].Key != "a" || entries[1].Key != "b" || entries[2].Key != "" {
		t.Errorf("TakeBatch = %d, %v: %+v", n, err, entries)
	}
}

// Take goes on after Close for as long as an entry can come.
func TestTakeAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Put("a", 1)
		c.Close()
		first, _ := c.Take(t.Context())
		results := []<-chan taken{goTake(t.Context(), c), goTake(t.Context(), c)}
		waited := make(chan error, 1)
		go func() { waited <- c.Wait(t.Context()) }()
		synctest.Wait()
		if len(results[0])+len(results[1])+len(waited) > 0 {
			t.Fatal("a taker is back while the last entry is leased")
		}
		c.Return(first, time.Second)
		time.Sleep(time.Second - 1)
		synctest.Wait()
		if len(results[0])+len(results[1])+len(waited) > 0 {
			t.Fatal("a taker is back while the last entry backs off")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		var second, third taken
		select {
		case second = <-results[0]:
			c.Done(second.entry)
			third = <-results[1]
		case second = <-results[1]:
			c.Done(second.entry)
			third = <-results[0]
		}
		if second.err != nil || second.entry.Attempts != 2 || !errors.Is(third.err, ErrClosed) {
			t.Errorf("took %+v and then %v", second, third.err)
		}
		if err := <-waited; err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("Wait: %v", err)
		}
		if err := c.Wait(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("Wait: %v, want ErrClosed", err)
		}
	})
}

func TestCloseWakesTakers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		results := []<-chan taken{goTake(t.Context(), c), goTake(t.Context(), c)}
		c.Close()
		for _, result := range results {
			if got := <-result; !errors.Is(got.err, ErrClosed) {
				t.Errorf("Take: %v, want ErrClosed", got.err)
			}
		}
	})
}

func TestWaitTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		waited := make(chan error, 1)
		go func() { waited <- c.Wait(t.Context()) }()
		synctest.Wait()
		taker := goTake(t.Context(), c)
		c.Put("a", 1)
		synctest.Wait()
		if len(waited) != 1 {
			t.Error("Wait was not woken")
		}
		expect(t, taker, "a") // Wait has passed its wake on
	})
}

// What a taker gets after a wait is taken then, not when the wait began.
func TestTakenIsTheEndOfTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		taker := goTake(t.Context(), c)
		time.Sleep(time.Second)
		at := time.Now().Add(-time.Millisecond)
		c.PutAt("a", 1, at)
		e := expect(t, taker, "a")
		if !e.Taken.Equal(time.Now()) || e.Wait() != time.Millisecond {
			t.Errorf("taken at %v after %v, want %v after 1ms", e.Taken, e.Wait(), time.Now())
		}
	})
}

// A context that has ended ends Wait and TakeBatch whatever is eligible.
func TestEndedContextComesBeforeWhatIsEligible(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	if err := c.Wait(ended()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait: %v, want context.Canceled", err)
	}
	if n, err := c.TakeBatch(ended(), make([]Entry[string, int], 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("TakeBatch = %d, %v, want context.Canceled", n, err)
	}
}
