package quota

import (
	"context"
	"errors"
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
		app := Entity{Named("bob"), Named("app")}
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

// A monitor must see a wait while it goes on, and count it once when it has ended.
func TestWaitedCountsWaitsThatGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := set(t, Options{}, percent("1"))
		gate, other := producerOf(q, "alice", ""), producerOf(q, "alice", "")
		gate.Charge(time.Now(), 1600*ms, 0) // 20 s to pay, of which a window is free
		sees := func(want time.Duration) {
			t.Helper()
			now := time.Now()
			if u := q.Describe(now, Identity{User: "alice"})[0]; u.Waited != want || q.Stats(now).Entities[0] != u {
				t.Errorf("waited %v, want %v", u.Waited, want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		go gate.Wait(ctx)
		time.Sleep(4 * time.Second)
		sees(4 * time.Second)
		go other.Wait(ctx)
		time.Sleep(5 * time.Second)
		sees(14 * time.Second)
		time.Sleep(2 * time.Second) // both gave up a second ago
		sees(16 * time.Second)
	})
}
