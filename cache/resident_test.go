package cache

import (
	"testing"
	"time"
)

// busy returns the number of keys of which something waits or is leased.
func (c *Cache[K, V]) busy() int { return c.slots.len() - c.resident.Len() }

func TestResidentsAreBounded(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for round := range 3 { // at once, which makes the table rotate, and one by one
		for i := range 3 * residents {
			c.Put(round*residents+i, 0)
		}
		takeAll(c)
		if n := c.resident.Len(); n > residents || n != c.slots.len() {
			t.Errorf("%d resident slots of %d, want all of at most %d", n, c.slots.len(), residents)
		}
		for i := range 3 * residents {
			c.Put(-i, 0)
			takeAll(c)
		}
		if n := c.resident.Len(); n != residents || n != c.slots.len() {
			t.Errorf("%d resident slots of %d, want all of %d", n, c.slots.len(), residents)
		}
		if c.slots.old != nil {
			t.Error("the map of the peak is still there")
		}
	}
}

// The slot of the key that has idled for longest goes, whatever others did.
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
	if n := c.resident.Len(); n > residents {
		t.Errorf("%d resident slots", n)
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
	if n := c.leases.Span(); n > 1000 {
		t.Errorf("the leases take %d cells", n)
	}
	if got := c.OldestLease(); got < time.Microsecond || c.Ledger().Leased != 1 {
		t.Errorf("oldest lease %v of %d", got, c.Ledger().Leased)
	}
	c.Done(endless)
	if got := c.OldestLease(); got != 0 {
		t.Errorf("oldest lease %v, want none", got)
	}
}
