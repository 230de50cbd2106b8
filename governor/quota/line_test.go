package quota

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Eight sources came through before the first charge. After that they take turns.
func TestWaitAdmitsOneOfAMutedEntity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var mu sync.Mutex
		inside, most, order := 0, 0, []int{}
		var all sync.WaitGroup
		for i := range 8 {
			gate := q.Producer(Identity{User: "alice"})
			gate.Charge(time.Now(), 100*ms, 0)
			all.Go(func() {
				time.Sleep(time.Duration(i) * ms) // they come in this order
				for gate.Wait(ctx) == nil {
					mu.Lock()
					inside++
					most = max(most, inside)
					order = append(order, i)
					mu.Unlock()
					time.Sleep(100 * ms)
					mu.Lock()
					inside--
					mu.Unlock()
					gate.Charge(time.Now(), 100*ms, 0)
				}
			})
		}
		all.Wait()
		if most != 1 {
			t.Errorf("%d at once, want 1", most)
		}
		for i, source := range order {
			if source != i%8 {
				t.Fatalf("order %v, want them to take turns", order)
			}
		}
		if len(order) < 200 {
			t.Errorf("%d turns in 5 min, want about 240", len(order))
		}
	})
}

// The source that has the turn has nothing to deliver.
func TestTurnLapses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		idle, other := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		idle.Charge(time.Now(), 160*ms, 0)
		if d := waited(t, idle); d != time.Second {
			t.Fatalf("waited %v, want 1s", d)
		}
		if d := waited(t, other); d != time.Second {
			t.Errorf("waited %v for a turn that is not used, want 1s", d)
		}
	})
}

func TestChargeEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		first, second := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		first.Charge(time.Now(), 160*ms, 0)
		waited(t, first)
		go func() {
			time.Sleep(3 * ms)
			first.Charge(time.Now(), ms/10, 0)
		}()
		// At 1 s the debt was just paid. 0.1 ms more takes 1.25 ms, of which 3 ms
		// have passed.
		if d := waited(t, second); d != 3*ms {
			t.Errorf("waited %v, want 3ms", d)
		}
	})
}

func TestGateCloseEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		first, second := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		first.Charge(time.Now(), 160*ms, 0)
		waited(t, first)
		go func() {
			time.Sleep(3 * ms)
			first.Close()
		}()
		if d := waited(t, second); d != 3*ms {
			t.Errorf("waited %v, want 3ms", d)
		}
	})
}

// A charge from before the entity was muted finds room. Nobody need wait for the
// turn any longer, but those in the line come one after the other: at a charge, or
// a twentieth of a window later.
func TestRoomEndsTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		var gates [6]*Gate
		for i := range gates {
			gates[i] = producerOf(q, "alice", "")
		}
		first, late, fresh := gates[0], gates[1], gates[2]
		first.Charge(time.Now(), 160*ms, 0)
		waited(t, first)
		go func() {
			time.Sleep(3 * ms)
			late.Charge(time.Now(), 0, 0)
			if d := waited(t, fresh); d != 0 {
				t.Errorf("one that was not in the line waited %v", d)
			}
		}()
		var all sync.WaitGroup
		for i, want := range []time.Duration{3 * ms, 53 * ms, 60 * ms} {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Microsecond) // they come in this order
				start := time.Now().Add(-time.Duration(i) * time.Microsecond)
				waited(t, gates[3+i])
				if d := time.Since(start); d != want {
					t.Errorf("%d. waited %v, want %v", i, d, want)
				}
				if i == 1 {
					time.Sleep(7 * ms)
					gates[3+i].Charge(time.Now(), 0, 0)
				}
			})
		}
		all.Wait()
	})
}

// The one that has the turn gets a quota of its own.
func TestMovingToAnotherAccountEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		first, second := producerOf(q, "alice", "app"), producerOf(q, "alice", "other")
		first.Charge(time.Now(), 160*ms, 0)
		waited(t, first)
		go func() {
			time.Sleep(3 * ms)
			mustAlter(t, q, Entity{Named("alice"), Named("app")}, percent("1"))
			first.Charge(time.Now(), 0, 0)
		}()
		if d := waited(t, second); d != 3*ms {
			t.Errorf("waited %v, want 3ms", d)
		}
	})
}

// All that was used has been earned again: nobody needs a turn.
func TestRestedEntityIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		a, b := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		a.Charge(time.Now(), 160*ms, 0)
		time.Sleep(2 * time.Second)
		if d := waited(t, a) + waited(t, b); d != 0 {
			t.Errorf("waited %v", d)
		}
	})
}

// The head of the line gives up; the next one must not sleep on.
func TestLeavingHeadWakesTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		head, next := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		head.Charge(time.Now(), 160*ms, 0)
		time.Sleep(500 * ms)
		ctx, cancel := context.WithTimeout(t.Context(), 499*ms)
		defer cancel()
		go head.Wait(ctx)
		synctest.Wait()
		if d := waited(t, next); d != 500*ms {
			t.Errorf("waited %v, want 500ms", d)
		}
	})
}

// A removed quota holds nobody, not even for a turn.
func TestRemovedQuotaEndsTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := Entity{Named("alice"), Named("app")}
		q := set(t, Options{}, percent("1")) // so that time is still measured
		mustAlter(t, q, Entity{User: Named("bob")}, percent("1"))
		mustAlter(t, q, app, percent("1"))
		if err := q.Remove(alice); err != nil {
			t.Fatal(err)
		}
		first := producerOf(q, "alice", "app")
		first.Charge(time.Now(), 8*time.Second, 0)
		var all sync.WaitGroup
		for range 3 {
			gate := producerOf(q, "alice", "app")
			all.Go(func() {
				if d := waited(t, gate); d != time.Second {
					t.Errorf("waited %v, want 1s", d)
				}
			})
		}
		time.Sleep(500 * ms)
		if err := q.Remove(app); err != nil {
			t.Fatal(err)
		}
		all.Wait()
	})
}

// Sources of which one at a time can work, as with a lock: what they wait for each
// other is charged, so those that are let in all at once get less done.
func TestContendersAreLetInByTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("12.5")) // 1 s per 1s
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		lock := make(chan struct{}, 1)
		var done atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			gate := producerOf(q, "alice", "")
			all.Go(func() {
				for gate.Wait(ctx) == nil {
					start := time.Now()
					lock <- struct{}{}
					time.Sleep(10 * ms)
					<-lock
					gate.Charge(time.Now(), time.Since(start), 0)
					done.Add(1)
				}
			})
		}
		all.Wait()
		// All at once would be some 980.
		if n := done.Load(); n < 1200 {
			t.Errorf("%d done in a minute, want 1300 or more", n)
		}
	})
}

// A gate that waits for its time does not hold up those that wait for bytes.
func TestLinesAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, produced("1000"))
		slow := Entity{Named("alice"), Named("slow")}
		mustAlter(t, q, slow, percent("1"))
		a, b := q.Producer(Identity{User: "alice", ClientID: "slow"}), q.Producer(Identity{User: "alice", ClientID: "quick"})
		a.Charge(time.Now(), 8*time.Second, 2000)
		go a.Wait(t.Context())
		synctest.Wait()
		if d := waited(t, b); d != time.Second {
			t.Errorf("waited %v, want 1s, which the bytes take", d)
		}
		q.Close()
	})
}
