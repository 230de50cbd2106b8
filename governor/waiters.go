package governor

// waiter is a goroutine that waits for a permit.
type waiter struct {
	granted    chan Token // room for one, so that a grant never blocks
	started    bool       // the permit is in flight from the grant on
	waiting    bool       // in the list
	prev, next *waiter
}

// waiters is a list in order of arrival. All operations are O(1).
type waiters struct {
	front, back *waiter
	count       int
}

func (l *waiters) push(w *waiter) {
	w.waiting, w.prev = true, l.back
	if l.back == nil {
		l.front = w
	} else {
		l.back.next = w
	}
	l.back = w
	l.count++
}

// remove takes w, which must be in the list, out of it.
func (l *waiters) remove(w *waiter) {
	if w.prev == nil {
		l.front = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		l.back = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.waiting = nil, nil, false
	l.count--
}
