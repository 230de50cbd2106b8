package cache

import "github.com/headrace/headrace/cache/internal/lane"

// waiters is a first-in-first-out line of goroutines. A goroutine joins under
// the cache's lock, lets go of it, and waits for its channel. The zero value
// is an empty line.
//
// A waiter is either in the line, or has been woken: then a value lies in its
// channel. Both change under the lock only, so that a waiter that gives up
// because its context ended can tell which it is. A wake that it got and does
// not use goes on to the next one, since it leaves through Cache.unlock.
type waiters struct {
	line  lane.Lane[*waiter]
	awake int       // woken, but not heard of since
	idle  []*waiter // for re-use, so that waiting allocates nothing
}

type waiter struct {
	ready  chan struct{}
	ticket uint64
	op     Op    // of the entry that waits for room
	size   int64 // of that
	woken  bool
}

func (w *waiters) len() int { return w.line.Len() }

// first returns the next to be woken, which there must be.
func (w *waiters) first() *waiter { return w.line.Front() }

func (w *waiters) join() *waiter {
	var one *waiter
	if n := len(w.idle); n > 0 {
		one, w.idle = w.idle[n-1], w.idle[:n-1]
	} else {
		one = &waiter{ready: make(chan struct{}, 1)}
	}
	one.woken = false
	one.ticket = w.line.Push(one)
	return one
}

func (w *waiters) wake() {
	if one := w.line.Pop(); one != nil {
		one.woken = true
		w.awake++
		one.ready <- struct{}{}
	}
}

func (w *waiters) wakeAll() {
	for w.line.Len() > 0 {
		w.wake()
	}
}

// leave takes out a waiter that has not received from its channel.
func (w *waiters) leave(one *waiter) {
	if one.woken {
		<-one.ready
	} else {
		w.line.Remove(one.ticket)
	}
	w.recycle(one)
}

// recycle keeps a waiter that is out of the line and whose channel is empty.
func (w *waiters) recycle(one *waiter) {
	if one.woken {
		w.awake--
	}
	w.idle = append(w.idle, one)
}
