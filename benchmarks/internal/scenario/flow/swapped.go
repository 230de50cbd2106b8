package flow

import (
	"runtime"
	"sync"
	"time"
)

// swapped is the least that one can write by hand: the latest value of each key
// in a map under a mutex, which the consumer swaps for an empty one. It keeps
// no order.
type swapped struct {
	mu     sync.Mutex
	values map[uint64]snapshot
	closed bool
	spare  map[uint64]snapshot // the consumer's
}

func newSwapped() *swapped {
	return &swapped{values: make(map[uint64]snapshot), spare: make(map[uint64]snapshot)}
}

func (c *swapped) put(snapshots []snapshot, _ time.Time) {
	for i := range snapshots {
		c.mu.Lock()
		c.values[snapshots[i].Instrument] = snapshots[i]
		c.mu.Unlock()
	}
}

func (c *swapped) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

func (c *swapped) take(into []snapshot) (n int, open bool) {
	c.mu.Lock()
	c.values, c.spare = c.spare, c.values
	open = !c.closed
	c.mu.Unlock()
	for _, s := range c.spare {
		into[n] = s
		n++
	}
	clear(c.spare)
	if n == 0 {
		runtime.Gosched()
	}
	return n, open
}

func (*swapped) done() {}
