package flow

import (
	"container/list"
	"sync"
)

// conflating is the queue that one writes by hand: a map to find what waits, a
// list for the order, a mutex, and a condition for the consumer.
type conflating[K comparable, V any] struct {
	mu      sync.Mutex
	arrived sync.Cond
	waiting map[K]*list.Element // of *keyed
	order   list.List
	closed  bool
}

type keyed[K comparable, V any] struct {
	key   K
	value V
}

func newConflating[K comparable, V any]() *conflating[K, V] {
	c := &conflating[K, V]{waiting: make(map[K]*list.Element)}
	c.arrived.L = &c.mu
	return c
}

func (c *conflating[K, V]) put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.waiting[key]; e != nil {
		e.Value.(*keyed[K, V]).value = value
		return
	}
	c.waiting[key] = c.order.PushBack(&keyed[K, V]{key, value})
	if c.order.Len() == 1 {
		c.arrived.Signal()
	}
}

// take waits for values and takes up to len(into). It returns 0 when the queue
// is closed and empty.
func (c *conflating[K, V]) take(into []V) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.order.Len() == 0 && !c.closed {
		c.arrived.Wait()
	}
	n := 0
	for n < len(into) && c.order.Len() > 0 {
		first := c.order.Remove(c.order.Front()).(*keyed[K, V])
		delete(c.waiting, first.key)
		into[n] = first.value
		n++
	}
	return n
}

func (c *conflating[K, V]) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.arrived.Signal()
}
