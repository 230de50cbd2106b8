package core

import (
	"container/list"
	"sync"
)

// byHand is the coalescing queue that one writes when there is no library: a
// map to find the key that waits, and a list for the order. With busy it also
// keeps a key from being handed out twice, as several workers need it.
type byHand struct {
	mu      sync.Mutex
	filled  sync.Cond
	waiting map[string]*list.Element
	order   list.List        // of *pair
	busy    map[string]*pair // what arrived meanwhile, or nil
	closed  bool
}

type pair struct {
	key   string
	value value
}

func newByHand(leases bool) *byHand {
	q := &byHand{waiting: make(map[string]*list.Element)}
	q.filled.L = &q.mu
	if leases {
		q.busy = make(map[string]*pair)
	}
	return q
}

func (q *byHand) put(key string, v value) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.waiting[key]; e != nil {
		e.Value.(*pair).value = v
		return
	}
	if q.busy != nil {
		if _, busy := q.busy[key]; busy {
			q.busy[key] = &pair{key, v}
			return
		}
	}
	q.push(&pair{key, v})
}

func (q *byHand) push(p *pair) {
	q.waiting[p.key] = q.order.PushBack(p)
	q.filled.Signal()
}

// take waits for a pair and returns as many as there are, up to the size of the
// batch: none when the queue is closed and empty.
func (q *byHand) take(batch []*pair) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.order.Len() == 0 && !q.finished() {
		q.filled.Wait()
	}
	n := min(len(batch), q.order.Len())
	for i := range n {
		p := q.order.Remove(q.order.Front()).(*pair)
		delete(q.waiting, p.key)
		if q.busy != nil {
			q.busy[p.key] = nil
		}
		batch[i] = p
	}
	return n
}

// done lets the keys be handed out again. Without busy there is nothing to do.
func (q *byHand) done(batch []*pair) {
	if q.busy == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range batch {
		next := q.busy[p.key]
		delete(q.busy, p.key)
		if next != nil {
			q.push(next)
		}
	}
	if q.finished() {
		q.filled.Broadcast()
	}
}

func (q *byHand) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Broadcast()
}

func (q *byHand) finished() bool { return q.closed && q.order.Len() == 0 && len(q.busy) == 0 }
