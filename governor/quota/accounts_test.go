package quota

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// Many clients, each with a budget of its own, are held and then forgotten.
func TestManyEntitiesExpire(t *testing.T) {
	const n = 100_000
	q := mustNew(t, Options{Producers: 8})
	mustAlter(t, q, Entity{Default(), Default()}, percent("1"))
	before := heap()
	for i := range n {
		g := q.Producer(Identity{User: "u", ClientID: fmt.Sprint(i)})
		g.Charge(q.epoch, ms, 0)
		g.Close()
	}
	if got := len(q.accounts[requestTime]); got != n {
		t.Errorf("%d entities, want %d", got, n)
	}
	t.Logf("%d bytes an entity", (heap()-before)/n)
	if got := q.Expire(q.epoch.Add(time.Hour)); got != 0 {
		t.Errorf("%d expired after 1 h, want none until it is over", got)
	}
	if got := q.Expire(q.epoch.Add(time.Hour + 1)); got != n || len(q.accounts[requestTime]) != 0 {
		t.Errorf("%d expired, want all", got)
	}
	q.accounts[requestTime] = map[Entity]*account{} // Go maps keep their buckets
	if left := heap() - before; left > 1<<20 {
		t.Errorf("%d bytes are left", left)
	}
	runtime.KeepAlive(q)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestExpireKeepsWhatIsOwed(t *testing.T) {
	q := set(t, Options{Expiry: 2 * time.Second}, percent("1"))
	gate := q.Producer(Identity{User: "alice"})
	gate.Charge(q.epoch, 8*time.Second, 0) // 100 s to pay, of which a window is free
	for _, at := range []time.Duration{3 * time.Second, 98 * time.Second} {
		if got := q.Expire(q.epoch.Add(at)); got != 0 {
			t.Errorf("after %v: %d expired, want none", at, got)
		}
	}
	if got := q.Expire(q.epoch.Add(100 * time.Second)); got != 1 {
		t.Errorf("%d expired when all was paid, want 1", got)
	}
}

// A gate outlives the account that it charged.
func TestChargeAfterExpiry(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	a, b := q.Producer(Identity{User: "alice"}), q.Producer(Identity{User: "alice"})
	a.Charge(q.epoch, 80*ms, 0)
	later := q.epoch.Add(2 * time.Hour)
	q.Expire(later)
	a.Charge(later, 80*ms, 0)
	if d := b.Charge(later, 80*ms, 0); d.Time != time.Second {
		t.Errorf("delay %v, want 1s: both share one budget again", d.Time)
	}
}
