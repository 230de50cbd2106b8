package governor

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The wait for the permit is no part of the RTT, and waiters are served in the
// order in which they came.
func TestLimiterServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{1}})
		first := acquired(t, l)
		var order []int
		for i := range 5 {
			go func() {
				token, err := l.Acquire(t.Context())
				if err != nil {
					t.Error(err)
				}
				order = append(order, i) // one at a time: the limit is 1
				time.Sleep(time.Duration(10+i) * ms)
				token.Success()
			}()
			synctest.Wait()
		}
		if got := l.Stats().Waiting; got != 5 {
			t.Errorf("%d wait, want 5", got)
		}
		time.Sleep(time.Hour)
		first.Ignore()
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
			t.Errorf("served in the order %v", order)
		}
		for i, s := range samplesOf(l) {
			if want := time.Duration(10+i) * ms; s.RTT != want || s.InFlight != 1 {
				t.Errorf("sample %d: %+v, want an RTT of %v alone", i, s, want)
			}
		}
	})
}

// waiting starts n goroutines that acquire and hold a permit, and returns the
// number of those that have one.
func waiting(t *testing.T, l *Limiter, n int) *atomic.Int64 {
	var have atomic.Int64
	for range n {
		go func() {
			if token, err := l.Acquire(t.Context()); err == nil {
				have.Add(1)
				<-t.Context().Done()
				token.Ignore()
			}
		}()
	}
	synctest.Wait()
	return &have
}

func TestLimiterGrowthWakesAllThatFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{2, 6}})
		a := acquired(t, l)
		acquired(t, l)
		have := waiting(t, l, 7)
		if got := have.Load(); got != 0 {
			t.Fatalf("%d have a permit, want none", got)
		}
		a.Success()
		synctest.Wait()
		if got := have.Load(); got != 5 {
			t.Errorf("%d have a permit after the growth to 6, want 5", got)
		}
	})
}

// A shrink takes nothing away, and nobody gets a permit until there is room.
func TestLimiterShrinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{4, 2}})
		var tokens []Token
		for range 4 {
			tokens = append(tokens, acquired(t, l))
		}
		have := waiting(t, l, 1)
		for i, want := range []int64{0, 0, 1} {
			tokens[i].Success()
			synctest.Wait()
			if got := have.Load(); got != want {
				t.Errorf("%d have a permit after %d ended, want %d", got, i+1, want)
			}
			if _, ok := l.TryAcquire(); ok {
				t.Errorf("a permit above the limit after %d ended", i+1)
			}
		}
	})
}

func TestLimiterCancelledWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: Fixed(1)})
		token := acquired(t, l)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := l.Acquire(ctx); err != context.DeadlineExceeded || time.Since(began) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		token.Success()
		if _, err := l.Acquire(ctx); err != context.DeadlineExceeded {
			t.Errorf("got %v from a free limiter with a context that has ended", err)
		}
		if s := l.Stats(); s.Waiting != 0 || s.Held != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// A waiter is cancelled and granted a permit at once. The permit is not lost:
// it is with the waiter, or with the next one.
func TestLimiterCancelledWhileGranted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: Fixed(1)})
		for _, cancelFirst := range []bool{true, false} {
			token := acquired(t, l)
			ctx, cancel := context.WithCancel(t.Context())
			acquire := func(ctx context.Context, err *error) {
				var got Token
				if got, *err = l.Acquire(ctx); *err == nil {
					got.Success()
				}
			}
			var err, next error
			go acquire(ctx, &err)
			synctest.Wait()
			go acquire(t.Context(), &next)
			synctest.Wait()
			// Both happen before the waiter can look: it needs the lock for that.
			l.mu.Lock()
			if cancelFirst {
				cancel()
			}
			l.giveBack(token.slot)
			l.serve()
			cancel()
			l.mu.Unlock()
			synctest.Wait()
			if (err == context.Canceled) != cancelFirst {
				t.Errorf("cancelled first %v: the waiter got %v", cancelFirst, err)
			}
			if s := l.Stats(); next != nil || s.Held != 0 || s.InFlight != 0 || s.Waiting != 0 {
				t.Errorf("cancelled first %v: the next waiter got %v; %+v", cancelFirst, next, s)
			}
		}
	})
}

// Run with -race. A limit that jumps up and down, workers of all kinds, and a
// count that must never be above the highest limit that was in force while the
// permits were taken.
func TestLimiterIsNeverAboveTheLimit(t *testing.T) {
	const most, workers, rounds = 5, 16, 400
	var limits scripted
	for i := range workers * rounds {
		limits = append(limits, 1+i*7%most)
	}
	l := newLimiter(t, LimiterOptions{Limit: limits})
	var inside, highest, done atomic.Int64
	var group sync.WaitGroup
	for n := range workers {
		group.Go(func() {
			for i := range rounds {
				ctx, cancel := context.WithCancel(t.Context())
				if (n+i)%5 == 0 {
					go cancel()
				}
				token, err := l.Acquire(ctx)
				if (n+i)%7 == 0 && err == nil {
					token.Ignore()
					token, err = l.Reserve(ctx)
				}
				cancel()
				if err != nil {
					continue
				}
				now := inside.Add(1)
				for {
					h := highest.Load()
					if now <= h || highest.CompareAndSwap(h, now) {
						break
					}
				}
				runtime.Gosched()
				inside.Add(-1)
				done.Add(1)
				token.Start(time.Now())
				if i%3 == 0 {
					go token.Dropped()
				}
				token.Success()
				token.Success()
			}
		})
	}
	group.Wait()
	if h := highest.Load(); h > most || h < 2 {
		t.Errorf("%d at once, want 2 to %d", h, most)
	}
	s := l.Stats()
	if s.Held != 0 || s.InFlight != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
	if got := int64(s.Succeeded + s.Dropped); got != done.Load() {
		t.Errorf("%d ended, want %d", got, done.Load())
	}
}

// The same against a limit that stands still: exactly its permits are out.
func TestLimiterFillsTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: Fixed(3)})
		var inside atomic.Int64
		for range 60 {
			go func() {
				for range 10 {
					token, err := l.Acquire(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					inside.Add(1)
					time.Sleep(10 * ms)
					inside.Add(-1)
					token.Success()
				}
			}()
		}
		for range 60 * 10 / 3 {
			time.Sleep(5 * ms)
			if got := inside.Load(); got != 3 {
				t.Fatalf("%d at once, want 3", got)
			}
			time.Sleep(5 * ms)
		}
	})
}

func BenchmarkLimiterHandOver(b *testing.B) {
	l := newLimiter(b, LimiterOptions{Limit: Fixed(1)})
	b.ReportAllocs()
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			t, _ := l.Acquire(b.Context())
			t.Success()
		}
	})
}
