package cache

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// Whoever finds the cache locked gets its turn, whether it spins or, as on one
// processor, parks at once.
func TestContend(t *testing.T) {
	for _, alone := range []bool{false, true} {
		c := mustNew(t, Options[string, int]{})
		c.alone = alone
		var all sync.WaitGroup
		c.mu.Lock()
		for _, operation := range []func(){
			func() { _ = c.Put("a", 1) },
			func() { _ = c.PutAt("b", 1, time.Now()) },
			func() { admits(t, c, t.Context(), batchOf("c", "d"), 2, nil) },
			func() {
				if e, err := c.Take(t.Context()); err == nil {
					c.Done(e)
				}
			},
		} {
			all.Go(operation)
		}
		runtime.Gosched()
		c.mu.Unlock()
		all.Wait()
		if l := c.Ledger(); l.Inserted != 4 || l.Waiting != 3 || l.Done != 1 {
			t.Errorf("alone %v: %+v", alone, l)
		}
	}
}

// The lock is found free after a few looks, without parking.
func TestContendSpins(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.alone = false
	c.mu.Lock()
	go c.mu.Unlock()
	c.contend()
	if c.mu.TryLock() {
		t.Error("contend has returned without the lock")
	}
	c.mu.Unlock()
}

// On one processor nothing spins: the holder could not go on meanwhile.
func TestAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for n, want := range map[int]bool{1: true, 2: false} {
		runtime.GOMAXPROCS(n)
		if c := mustNew(t, Options[string, int]{}); c.alone != want {
			t.Errorf("%d processors: alone is %v", n, c.alone)
		}
	}
}
