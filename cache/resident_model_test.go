package cache

import (
	"math/rand/v2"
	"testing"
	"time"
)

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
