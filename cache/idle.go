package cache

import (
	"context"
	"time"
)

// idle waits, in an operation that found nothing eligible, until there may be
// something, and returns the time then. It lets go of the lock meanwhile; with an
// error it ends the operation. Every waiter minds the end of the back-off that is
// first due: whoever of them is busy by then, another one is not.
func (c *Cache[K, V]) idle(ctx context.Context) (now time.Duration, err error) {
	if c.finished() {
		c.unlock()
		return 0, ErrClosed
	}
	if c.losses != nil || c.acks != nil { // told before a waiter stands in the line: OnDrop may panic
		c.unlock()
		now = c.now()
		c.mu.Lock()
		return now, nil
	}
	var due <-chan time.Time
	if c.delays.len() > 0 {
		timer := time.NewTimer(c.delays.due() - c.now()) // it may have waited for the lock
		defer timer.Stop()
		due = timer.C
	}
	w := c.takers.join()
	c.unlock()
	select {
	case <-w.ready:
		now = c.now()
		c.mu.Lock()
		c.takers.recycle(w)
		return now, nil
	case <-due:
	case <-ctx.Done():
		err = ctx.Err()
	}
	now = c.now()
	c.mu.Lock()
	c.takers.leave(w)
	if err != nil {
		c.unlock()
	}
	return now, err
}
