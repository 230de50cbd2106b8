package cache

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
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

// A lease that never ends must not make the list of leases grow.
func TestLeasesBehindAnEndlessOneAreFreed(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	c.Put(-1, 0)
	time.Sleep(time.Microsecond)
	endless, _ := c.TryTake()
	for i := range 100_000 {
		c.Put(i%2, 0)
		e, _ := c.TryTake()
		c.Done(e)
	}
	if n := cap(c.leases); n > 1000 {
		t.Errorf("the leases take %d cells", n)
	}
	if got := c.OldestLease(); got < time.Microsecond || c.Ledger().Leased != 1 {
		t.Errorf("oldest lease %v of %d", got, c.Ledger().Leased)
	}
	c.Put(0, 0)
	other, _ := c.TryTake()
	c.Done(endless)
	if len(c.leases) != 1 || c.leases[0].slot != other.slot {
		t.Errorf("leases %v, want that of key 0 alone", c.leases)
	}
	c.Done(other)
	if got := c.OldestLease(); got != 0 {
		t.Errorf("oldest lease %v, want none", got)
	}
}

// A peak of leases takes no memory when it is over.
func TestLeasesOfAPeakAreFreed(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for key := range 100_000 {
		c.Put(key, 0)
	}
	entries := make([]Entry[int, int], 100_000)
	n, _ := c.TakeBatch(t.Context(), entries)
	rand.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	for i := range entries[:n] {
		c.Done(entries[i])
	}
	if cap(c.leases) > fewLeases || len(c.leases) != 0 {
		t.Errorf("%d leases take %d cells", len(c.leases), cap(c.leases))
	}
}

// rotate makes the table start a new map, as it does after a peak.
func rotate[K comparable, V any](c *Cache[K, V]) {
	c.slots.old, c.slots.keys = c.slots.keys, make(map[K]*slot[K, V])
}

// A leased key keeps its slot when nothing waits behind its lease any more, also
// where no slot may idle, or all seats are taken.
func TestLeasedKeyKeepsItsSlot(t *testing.T) {
	for name, prepare := range map[string]func(c *Cache[int, int]){
		"an old map": func(c *Cache[int, int]) { c.Put(-1, 0) },
		"no seat": func(c *Cache[int, int]) {
			for range 2 {
				takeAll(c)
				for key := range residents {
					c.Put(key, 0)
				}
			}
			c.PutAt(-1, 0, time.Time{}) // before all others
		},
	} {
		c := mustNew(t, Options[int, int]{Annihilate: true})
		prepare(c)
		e, _ := c.TryTake()
		if e.Key != -1 || e.slot.seated {
			t.Fatalf("%s: took %+v", name, e)
		}
		if name == "an old map" {
			rotate(c)
		}
		c.Admit(Arrival[int, int]{Key: -1, Op: Insert})
		c.Delete(-1, 0)
		if c.slots.get(-1) != e.slot {
			t.Errorf("%s: the leased key has lost its slot", name)
		}
		c.PutAt(-1, 1, time.Time{})
		if other, ok := c.TryTake(); ok && other.Key == -1 {
			t.Errorf("%s: the key is leased twice", name)
		}
	}
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

// churner does the same to a cache and to a plain map.
type churner struct {
	t       *testing.T
	c       *Cache[int, int]
	rng     *rand.Rand
	at      time.Time
	waiting map[int]int
	leased  map[int]Entry[int, int]
	old     []Entry[int, int] // whose leases have ended
	rotated bool
}

func (x *churner) put(keys int) {
	key := x.rng.IntN(keys)
	x.waiting[key]++
	if x.rng.IntN(2) == 0 {
		x.c.PutAt(key, 1, x.at)
		return
	}
	next := x.rng.IntN(keys)
	x.waiting[next] += 2
	x.c.AdmitBatch(x.t.Context(), []Arrival[int, int]{{Key: key, Value: 1, At: x.at}, {Key: next, Value: 2, At: x.at}})
}

func (x *churner) take() {
	e, ok := takeAt(x.c, x.at)
	if !ok {
		return
	}
	if _, twice := x.leased[e.Key]; twice || x.waiting[e.Key] != e.Value {
		x.t.Fatalf("took %d of key %d, leased already: %v, want %d", e.Value, e.Key, twice, x.waiting[e.Key])
	}
	delete(x.waiting, e.Key)
	x.leased[e.Key] = e
}

// end ends the leases of all but a few entries, and some that have ended.
func (x *churner) end(but int) {
	for key, e := range x.leased {
		if len(x.leased) <= but {
			break
		}
		x.c.Done(e)
		delete(x.leased, key)
		x.old = append(x.old, e)
	}
	for range min(4, len(x.old)) {
		x.c.Done(x.old[x.rng.IntN(len(x.old))])
	}
	c := x.c
	x.rotated = x.rotated || c.slots.old != nil
	if c.busy() < len(x.waiting) || c.idling() > residents || len(c.leases) != len(x.leased) {
		x.t.Fatalf("%d slots, %d idle, %d leases of %d", c.slots.len(), c.idling(), len(c.leases), len(x.leased))
	}
}

// Far more keys than stay come and go at random, through peaks after which the
// table rotates.
func TestResidentsAgainstMap(t *testing.T) {
	x := &churner{
		t: t, c: mustNew(t, Options[int, int]{Merge: Sum[int]}), rng: rand.New(rand.NewPCG(1, 1)), at: time.Now(),
		waiting: make(map[int]int), leased: make(map[int]Entry[int, int]),
	}
	for range 2 {
		for range 3 * residents {
			x.put(1 << 20)
		}
		for len(x.waiting) > 100 {
			x.put(1 << 18)
			for range 5 {
				x.take()
			}
			x.end(20)
		}
		if !x.rotated {
			t.Fatal("the table has not rotated")
		}
		for range 5_000 { // few keys, which come again and again
			x.put(1 << 11)
			x.take()
			x.end(20)
		}
		x.rotated = false
	}
	for len(x.waiting) > 0 {
		before := len(x.waiting)
		if x.take(); len(x.waiting) == before {
			x.end(0)
			if x.take(); len(x.waiting) == before {
				t.Fatalf("%d keys are lost", before)
			}
		}
	}
	x.end(0)
	if l := x.c.Ledger(); x.c.busy() != 0 || l.Done != l.Inserted || l.Check() != nil {
		t.Errorf("%d slots are busy, ledger %+v", x.c.busy(), l)
	}
}
