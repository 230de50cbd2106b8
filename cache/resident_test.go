package cache

import (
	"runtime"
	"testing"
	"weak"
)

// busy returns the number of keys of which something waits or is leased.
func (c *Cache[K, V]) busy() int { return c.slots.len() - c.idling() }

// idling returns the number of slots that idle.
func (c *Cache[K, V]) idling() (n int) {
	for _, s := range c.resident.slots {
		if s.idle() {
			n++
		}
	}
	return n
}

func TestResidentsAreBounded(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for round := range 3 { // at once, which makes the table rotate, and one by one
		for i := range 3 * residents {
			c.Put(round*residents+i, 0)
		}
		takeAll(c)
		if n := c.idling(); n > residents || n != c.slots.len() {
			t.Errorf("%d resident slots of %d, want all of at most %d", n, c.slots.len(), residents)
		}
		for i := range 3 * residents {
			c.Put(-i, 0)
			takeAll(c)
		}
		if n := c.idling(); n != residents || n != c.slots.len() {
			t.Errorf("%d resident slots of %d, want all of %d", n, c.slots.len(), residents)
		}
		if c.slots.old != nil {
			t.Error("the map of the peak is still there")
		}
	}
}

// A slot that idles goes when the seats have been looked at in turn, whatever others did.
func TestResidentsThatStayAreReclaimed(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	c.Put(-1, 0)
	takeAll(c)
	for i := range residents {
		c.Put(0, 0)
		takeAll(c)
		c.Put(i, 0)
		takeAll(c)
	}
	if c.slots.get(-1) != nil {
		t.Error("the first key is still resident")
	}
	if n := c.idling(); n > residents {
		t.Errorf("%d resident slots", n)
	}
}

// A key that recurs keeps its seat.
func TestResidentsThatRecurTakeOneSeat(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for range 1000 {
		for key := range 4 {
			c.Put(key, 0)
		}
		takeAll(c)
	}
	if n := len(c.resident.slots); n != 4 || c.idling() != 4 {
		t.Errorf("4 keys have %d seats, %d of them idle", n, c.idling())
	}
}

// With all seats taken by keys that wait, a new key goes without, and its slot goes
// with its last entry.
func TestNoSeatIsFree(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for key := range residents {
		c.Put(key, 0)
	}
	takeAll(c)
	for key := range residents - 1 {
		c.Put(key, 0)
	}
	for range tries + 1 { // one seat idles, the last to be looked at
		c.resident.hand = 0
		c.Put(-1, 0)
	}
	c.resident.hand = 0
	c.Put(-2, 0)
	if c.slots.get(-1).seated || c.slots.get(-2).seated || c.idling() != 1 {
		t.Errorf("seated: %v, %v; %d idle", c.slots.get(-1).seated, c.slots.get(-2).seated, c.idling())
	}
	c.resident.hand = residents - 2
	c.Put(-3, 0)
	if !c.slots.get(-3).seated || c.slots.get(residents-1) != nil || c.resident.hand != 0 {
		t.Errorf("the new key has not got the idle seat; the next to look at is %d", c.resident.hand)
	}
	takeAll(c)
	if c.slots.len() != residents || c.slots.get(-1) != nil || c.slots.get(-2) != nil {
		t.Errorf("%d slots are left", c.slots.len())
	}
}

// A slot that goes over to another key lets go of its own, also where an old
// entry still points to it.
func TestReclaimForgetsTheKey(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	takeAll(c)
	s := c.slots.get("a")
	if c.dismiss(s); s.key != "" || c.slots.len() != 0 {
		t.Errorf("slot of %q, %d slots", s.key, c.slots.len())
	}
}

// While a lease keeps the map of a peak, nothing idles in either.
func TestNothingIdlesWhileAnOldMapStays(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	c.Put(-1, 0)
	endless, _ := c.TryTake()
	for key := range 5 * residents {
		c.Put(key, 0)
	}
	takeAll(c)
	for key := range residents {
		c.Put(key, 0)
		takeAll(c)
	}
	if c.slots.old == nil || c.idling() != 0 || c.slots.len() != 1 {
		t.Errorf("old map: %v, %d idle slots of %d", c.slots.old != nil, c.idling(), c.slots.len())
	}
	c.Done(endless)
	if c.slots.old != nil || c.slots.len() != 0 {
		t.Errorf("old map: %v, %d slots", c.slots.old != nil, c.slots.len())
	}
}

// rotate makes the table start a new map, as it does after a peak.
func rotate[K comparable, V any](c *Cache[K, V]) {
	c.slots.old, c.slots.keys = c.slots.keys, make(map[K]*slot[K, V])
}

// While an old map stays, each slot that is forgotten takes two others off their
// seats. One that leaves does so once: the zero key may be another's.
func TestSeatsAreVacatedInPairs(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for key := range 10 {
		c.Put(key, 0)
	}
	takeAll(c)
	rotate(c)
	c.Put(9, 0) // has the last seat
	e, _ := c.TryTake()
	c.Put(0, 1)
	c.Done(e)
	if v, ok := c.Get(0); v != 1 || !ok {
		t.Errorf("key 0: %d, %v", v, ok)
	}
	if n := len(c.resident.slots); n != 8 || c.slots.get(9) != nil || c.slots.get(8) != nil {
		t.Errorf("%d seats, want 8", n)
	}
}

// A slot without a seat goes also if the old map ends just then.
func TestSlotThatEndsTheOldMapGoes(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	c.Put(1, 0)
	takeAll(c)
	rotate(c)
	c.Put(2, 0)
	takeAll(c)
	if c.slots.old != nil || c.slots.len() != 0 || len(c.resident.slots) != 0 {
		t.Errorf("old map: %v, %d slots, %d seats", c.slots.old != nil, c.slots.len(), len(c.resident.slots))
	}
}

// Neither a seat nor a lease of the past keeps a slot alive.
func TestSlotsAreFreed(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("seated", 0)
	takeAll(c)
	rotate(c)
	c.Put("leased", 0)
	refs := []weak.Pointer[slot[string, int]]{weak.Make(c.slots.get("seated")), weak.Make(c.slots.get("leased"))}
	rotate(c) // get has moved them
	takeAll(c)
	runtime.GC()
	for i, ref := range refs {
		if ref.Value() != nil {
			t.Errorf("slot %d is kept alive", i)
		}
	}
	runtime.KeepAlive(c)
}

// An entry whose slot has gone over to another key has no power over that.
func TestEntriesOfASlotThatIsUsedAgain(t *testing.T) {
	c, other := mustNew(t, Options[int, int]{}), mustNew(t, Options[int, int]{})
	c.Put(-1, 1)
	old, _ := c.TryTake()
	c.Done(old)
	for i := range residents - 1 { // as many idle slots as stay
		c.Put(i, 0)
		takeAll(c)
	}
	c.Put(-2, 1) // takes the first seat
	e, _ := c.TryTake()
	if e.slot != old.slot || e.Key == old.Key {
		t.Fatalf("key %d is not in the slot that was that of %d", e.Key, old.Key)
	}
	c.Done(old)
	other.Done(e)
	if c.Return(old, 0) || c.GiveUp(old) || c.Revoke(old) || other.Return(e, 0) || c.ledger.Leased != 1 {
		t.Error("an old entry, or another cache, ended the lease")
	}
	c.Done(e, e, old)
	if l := c.Ledger(); l.Leased != 0 || l.Done != l.Inserted || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
}
