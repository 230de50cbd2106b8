package governor

import "time"

// flight is one entry in the hands of an asynchronous consumer.
type flight struct {
	sequence   uint64
	started    time.Time
	stuck      bool // out of the list, but not ended
	prev, next *flight
}

// flights lists what is in flight, oldest first, and keeps a finger on the n-th
// oldest, so that every operation is O(1) however large n is.
type flights struct {
	n           int
	count       int
	last        uint64 // sequence given last
	front, back *flight
	nth         *flight // nil while count < n
}

func (l *flights) push(started time.Time) *flight {
	l.last++
	f := &flight{sequence: l.last, started: started, prev: l.back}
	if l.back == nil {
		l.front = f
	} else {
		l.back.next = f
	}
	l.back = f
	l.count++
	if l.count == l.n {
		l.nth = f
	}
	return f
}

// remove takes f, which must be in the list, out of it.
func (l *flights) remove(f *flight) {
	if l.nth != nil && f.sequence <= l.nth.sequence {
		l.nth = l.nth.next
	}
	if f.prev == nil {
		l.front = f.next
	} else {
		f.prev.next = f.next
	}
	if f.next == nil {
		l.back = f.prev
	} else {
		f.next.prev = f.prev
	}
	f.prev, f.next = nil, nil
	l.count--
}
