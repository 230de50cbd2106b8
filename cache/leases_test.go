package cache

import (
	"math/rand/v2"
	"testing"
	"time"
)

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
