package cache

import (
	"context"
	"errors"
	"math"
	"slices"
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

// TryTakeAt goes by the time given: for what is taken and when, for back-offs
// and for ages.
func TestTryTakeAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dropped []string
		c := mustNew(t, Options[string, int]{MaxAge: time.Minute, Expiry: Drop, OnDrop: func(e Entry[string, int], r Reason) {
			dropped = append(dropped, e.Key+" "+r.String())
		}})
		start := time.Now()
		c.PutAt("a", 1, start)
		c.PutAt("b", 2, start.Add(30*time.Second))
		e, ok := c.TryTakeAt(start.Add(10 * time.Second))
		if !ok || e.Key != "a" || e.Wait() != 10*time.Second || e.Age() != e.Wait() || !e.Taken.Equal(start.Add(10*time.Second)) {
			t.Errorf("took %+v, %v", e, ok)
		}
		if got := c.OldestLease(); got != 0 { // it is not 10 s from now yet
			t.Errorf("OldestLease = %v", got)
		}
		c.Return(e, 20*time.Second)
		if e, ok = c.TryTakeAt(start.Add(61 * time.Second)); !ok || e.Key != "b" {
			t.Errorf("took %+v, %v, want b", e, ok)
		}
		if want := []string{"a expired"}; !slices.Equal(dropped, want) {
			t.Errorf("dropped %v, want %v", dropped, want)
		}
		if e, ok = c.TryTakeAt(start); ok {
			t.Errorf("took %+v, with nothing there", e)
		}
	})
}

// Whatever the time given, a returned entry finds its way back.
func TestTryTakeAtAnyTimeAndBack(t *testing.T) {
	for name, at := range map[string]time.Time{
		"zero": {}, "wall": time.Now().Round(0), "past": time.Now().Add(-time.Hour), "distant": time.Now().Add(math.MaxInt64),
	} {
		c := mustNew(t, Options[string, int]{})
		now := time.Now()
		c.PutAt("a", 1, now.Add(-time.Second))
		c.PutAt("b", 1, now)
		was := c.slots.get("b").head
		a, _ := c.TryTakeAt(at)
		b, _ := c.TryTakeAt(at)
		if a.Taken != at {
			t.Errorf("%s: taken at %v, want %v", name, a.Taken, at)
		}
		c.Return(b, 0)
		if is := c.slots.get("b").head; is.at != was.at || is.newest != was.newest || is.sequence != was.sequence {
			t.Errorf("%s: %+v has become %+v", name, was, is)
		}
		c.Return(a, 0)
		if got := takeAll(c); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%s: took %v, want a b", name, got)
		}
	}
}
