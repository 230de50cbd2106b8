package governor

import "context"

// grant takes a permit. The caller holds the lock and has seen that there is
// one.
func (l *Limiter) grant(started bool) Token {
	s := l.free
	if s == nil {
		s = &slot{limiter: l}
	} else {
		l.free = s.next
	}
	l.held++
	if started {
		l.begin(s)
	}
	return Token{slot: s, generation: s.generation}
}

// begin puts a permit in flight.
func (l *Limiter) begin(s *slot) {
	if s.started {
		return
	}
	l.inFlight++
	s.started, s.inFlight = true, l.inFlight
}

// giveBack ends a permit. The caller then serves those who wait.
func (l *Limiter) giveBack(s *slot) {
	if s.started {
		l.inFlight--
	}
	l.held--
	s.generation++
	s.started = false
	s.next, l.free = l.free, s
}

// serve grants free permits to waiters, oldest first, under the same lock under
// which they queue: a permit cannot slip between a look and a wait.
func (l *Limiter) serve() {
	for l.held < l.limit && l.waiters.front != nil {
		w := l.waiters.front
		l.waiters.remove(w)
		w.granted <- l.grant(w.started) // there is room for one
	}
}

// take takes a permit, waiting for it if need be.
func (l *Limiter) take(ctx context.Context, started bool) (Token, error) {
	if err := ctx.Err(); err != nil {
		return Token{}, err
	}
	l.mu.Lock()
	if l.held < l.limit {
		t := l.grant(started)
		l.mu.Unlock()
		return t, nil
	}
	w := l.waiter(started)
	l.waiters.push(w)
	l.mu.Unlock()
	t, err := l.wait(ctx, w)
	l.used.Put(w)
	return t, err
}

// waiter returns one that was used before if there is one: its channel is empty
// again.
func (l *Limiter) waiter(started bool) *waiter {
	w, ok := l.used.Get().(*waiter)
	if !ok {
		w = &waiter{granted: make(chan Token, 1)}
	}
	w.started = started
	return w
}

func (l *Limiter) wait(ctx context.Context, w *waiter) (Token, error) {
	select {
	case t := <-w.granted:
		return t, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.waiting {
		l.waiters.remove(w)
	} else {
		// Granted between the end of ctx and the lock: the permit goes on to
		// the next waiter. It is in the channel, put there under this lock.
		l.giveBack((<-w.granted).slot)
		l.serve()
	}
	return Token{}, ctx.Err()
}
