package quota

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestEntitiesAreCapped(t *testing.T) {
	q := mustNew(t, Options{Producers: 8, MaxEntities: 3})
	mustAlter(t, q, Entity{Default(), Default()}, percent("1"))
	charge := func(client string, at, busy time.Duration) Delay {
		g := q.Producer(Identity{User: "u", ClientID: client})
		defer g.Close()
		return g.Charge(q.epoch.Add(at), busy, 0)
	}
	charge("a", 0, 80*ms)
	charge("b", ms, time.Second) // owes
	charge("c", 2*ms, 80*ms)
	charge("d", 3*ms, time.Second) // a makes room
	if all := q.accounts[requestTime]; len(all) != 3 || all[Entity{Named("u"), Named("a")}] != nil {
		t.Errorf("got %v, want that the idlest one has made room", all)
	}
	charge("c", 4*ms, time.Second)
	// All owe: newcomers share a budget, and none gets away.
	charge("e", 5*ms, 80*ms)
	if d := charge("f", 5*ms, 80*ms); d.Time != time.Second {
		t.Errorf("delay %v, want 1s", d.Time)
	}
	shared := 0
	for _, u := range q.Stats(q.epoch.Add(5 * ms)).Entities {
		if u.Other {
			shared++
			if u.Total != int64(160*ms) {
				t.Errorf("newcomers have used %v", time.Duration(u.Total))
			}
		}
	}
	if shared != 1 || len(q.accounts[requestTime]) != 3 {
		t.Errorf("%d shared budgets and %d entities, want 1 and 3", shared, len(q.accounts[requestTime]))
	}
	q.Expire(q.epoch.Add(2 * time.Hour))
	if q.others[requestTime] != nil {
		t.Error("there is room, and newcomers share still")
	}
}

// Users without a quota come and go. They take the room of each other, but not of
// those that have one, and are measured again when there is room.
func TestUnlimitedTakeNoRoomOfLimited(t *testing.T) {
	q := mustNew(t, Options{Producers: 8, MaxEntities: 3})
	for _, user := range []string{"a", "b", "c", "d", "e"} {
		mustAlter(t, q, Entity{User: Named(user)}, percent("1"))
	}
	charge := func(user string, at, busy time.Duration) *Gate {
		g := producerOf(q, user, "")
		g.Charge(q.epoch.Add(at), busy, 0)
		return g
	}
	users := func(want ...string) {
		t.Helper()
		var got []string
		for _, u := range q.Stats(q.epoch.Add(10 * ms)).Entities {
			if u.Other {
				u.User = "(others)"
			}
			got = append(got, fmt.Sprintf("%s %v", u.User, time.Duration(u.Total)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	charge("a", 0, 80*ms)
	charge("x", ms, 10*ms)
	charge("b", 2*ms, 80*ms)
	users("a 80ms", "b 80ms", "x 10ms")
	charge("y", 3*ms, 10*ms) // in place of x, though a has been idle for longer
	users("a 80ms", "b 80ms", "y 10ms")
	charge("c", 4*ms, time.Second) // in place of y
	z := charge("z", 5*ms, 10*ms)  // finds no room
	users("a 80ms", "b 80ms", "c 1s")
	charge("a", 6*ms, time.Second)
	charge("b", 6*ms, time.Second)
	d := charge("d", 7*ms, 160*ms) // all owe
	if charge("z", 8*ms, 10*ms); d.accounts[1].limit.from.level != 3 || d.accounts[1].bucket.missing == 0 {
		t.Error("one without a quota has let the newcomers off")
	}
	users("(others) 160ms", "a 1.08s", "b 1.08s", "c 1s")
	q.Expire(q.epoch.Add(2 * time.Hour))
	z.Charge(q.epoch.Add(2*time.Hour), 10*ms, 0)
	users("z 10ms")
}
