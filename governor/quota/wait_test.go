package quota

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// waited calls Wait and returns how long it took.
func waited(t *testing.T, g *Gate) time.Duration {
	t.Helper()
	start := time.Now()
	if err := g.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}

func TestWaitUntilWithinQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate := q.Producer(Identity{User: "alice"})
		if d := waited(t, gate); d != 0 {
			t.Errorf("nothing used: waited %v", d)
		}
		gate.Charge(time.Now(), 80*ms, 0)
		if d := waited(t, gate); d != 0 {
			t.Errorf("all used: waited %v", d)
		}
		// 160 ms in the window. Half of it is over the budget: the mute deadline is in
		// 1 s, when the window has passed and the debt of 80 ms is paid.
		gate.Charge(time.Now(), 80*ms, 0)
		if d := waited(t, gate); d != time.Second {
			t.Errorf("twice the budget used: waited %v, want 1s", d)
		}
	})
}

func TestWaitPaysAllDebt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate := q.Producer(Identity{User: "alice"})
		gate.Charge(time.Now(), 800*ms, 0) // ten windows' worth, one of which is free
		if d := waited(t, gate); d != 9*time.Second {
			t.Errorf("waited %v, want 9s", d)
		}
		if u := q.Stats(time.Now()).Entities[0]; u.Waited != 9*time.Second || u.Waiting != 0 || u.Delayed != time.Second {
			t.Errorf("got %+v, want 9s waited and 1s delayed", u)
		}
	})
}

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
// turn any longer.
func TestRoomEndsTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		first, second, third, late := producerOf(q, "alice", ""), producerOf(q, "alice", ""), producerOf(q, "alice", ""), producerOf(q, "alice", "")
		first.Charge(time.Now(), 160*ms, 0)
		waited(t, first)
		go func() {
			time.Sleep(3 * ms)
			late.Charge(time.Now(), 0, 0)
		}()
		var both sync.WaitGroup
		for _, gate := range []*Gate{second, third} {
			both.Go(func() {
				if d := waited(t, gate); d != 3*ms {
					t.Errorf("waited %v, want 3ms", d)
				}
			})
		}
		both.Wait()
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

func TestWaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate, next := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		gate.Charge(time.Now(), 800*ms, 0)
		ctx, cancel := context.WithTimeout(t.Context(), 1500*ms)
		defer cancel()
		start := time.Now()
		if err := gate.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 1500*ms {
			t.Errorf("%v after %v, want the deadline", err, time.Since(start))
		}
		if err := gate.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the deadline at once", err)
		}
		// The debt stays, and the place in the line does not.
		if d := waited(t, next); d != 7500*ms {
			t.Errorf("waited %v, want 7.5s", d)
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

func TestCloseReleasesWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate := q.Producer(Identity{User: "alice"})
		gate.Charge(time.Now(), time.Hour, 0)
		start := time.Now()
		go func() {
			time.Sleep(300 * ms)
			q.Close()
			q.Close()
		}()
		if err := gate.Wait(t.Context()); err != ErrClosed || time.Since(start) != 300*ms {
			t.Errorf("%v after %v, want ErrClosed after 300ms", err, time.Since(start))
		}
		if err := q.Producer(Identity{}).Wait(t.Context()); err != ErrClosed {
			t.Errorf("after Close: %v", err)
		}
		if d := gate.Charge(time.Now(), time.Hour, 0); d != (Delay{}) || len(q.Stats(time.Now()).Entities) != 0 {
			t.Errorf("after Close: delay %v, %+v", d, q.Stats(time.Now()))
		}
		if err := q.Alter(alice, percent("1")); err != ErrClosed {
			t.Errorf("Alter after Close: %v", err)
		}
	})
}

func TestWaitFollowsTheConfiguration(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, q *Quotas)
		want   time.Duration
	}{
		"removed": {func(t *testing.T, q *Quotas) {
			if err := q.Remove(alice); err != nil {
				t.Error(err)
			}
		}, time.Second},
		// The gate looks again at 1 s. 7.92 s are missing by then, of which 0.8 s may
		// be, and 0.8 s come back each second.
		"raised": {func(t *testing.T, q *Quotas) { mustAlter(t, q, alice, percent("10")) }, 9900 * ms},
		// The client gets a budget of its own, and with it a new account.
		"another level": {func(t *testing.T, q *Quotas) {
			mustAlter(t, q, Entity{Named("alice"), Named("app")}, percent("1"))
		}, time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := set(t, Options{}, percent("1"))
				gate := q.Producer(Identity{User: "alice", ClientID: "app"})
				gate.Charge(time.Now(), 8*time.Second, 0)
				go func() {
					time.Sleep(500 * ms)
					tt.change(t, q)
				}()
				if d := waited(t, gate); d != tt.want {
					t.Errorf("waited %v, want %v", d, tt.want)
				}
			})
		})
	}
}

// What comes in after the quota was raised is within it, and yet the delay that was
// told runs to its end.
func TestRunningDelayIsNotShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate, other := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
		gate.Charge(time.Now(), 120*ms, 0)
		mustAlter(t, q, alice, percent("50"))
		if d := other.Charge(time.Now(), ms, 0); d != (Delay{}) {
			t.Errorf("delay %v under the new quota", d)
		}
		if d := waited(t, gate); d != 500*ms {
			t.Errorf("waited %v, want the 500ms that were told", d)
		}
	})
}

// However long the delay that was told, a gate looks again within a window. The
// account is the same without the quota, and still measured.
func TestRemovedQuotaEndsTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{MaxDelay: time.Hour}, produced("1"))
		app := Entity{ClientID: Named("app")}
		mustAlter(t, q, app, produced("1"))
		gate := producerOf(q, "bob", "app")
		gate.Charge(time.Now(), 0, 1000)
		go func() {
			time.Sleep(1500 * ms)
			if err := q.Remove(app); err != nil {
				t.Error(err)
			}
		}()
		if d := waited(t, gate); d != 2*time.Second {
			t.Errorf("waited %v, want 2s", d)
		}
		if u := q.Stats(time.Now()).Entities[0]; u.Mute != 0 || u.Total != 1000 {
			t.Errorf("got %+v, want the same account, not muted", u)
		}
	})
}

// One client's long delay for bytes is no reason to let its user off time.
func TestDelayForBytesFillsNoBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{MaxDelay: time.Hour}, percent("1"))
		mustAlter(t, q, Entity{Named("alice"), Named("a")}, produced("1"))
		a, b := producerOf(q, "alice", "a"), producerOf(q, "alice", "b")
		b.Charge(time.Now(), 8*time.Second, 0)
		a.Charge(time.Now(), ms, 10_000)
		if owed := b.accounts[1].bucket.missing; owed != 8.001e9 {
			t.Errorf("%v owed, want all of it", time.Duration(owed))
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
