package cache

import (
	"context"
	"fmt"
	"time"
)

// incoming is an Arrival in the cache's terms, save for the value: a pointer to
// that goes beside it, since one that lay here would move the value to the heap
// together with the key.
type incoming[K comparable] struct {
	key      K
	at       time.Duration
	sequence uint64
	op       Op
	receipt  Receipt
}

// admitNow admits a value or refuses it, and ends the operation that the caller
// began by locking, as all that follow do.
func (c *Cache[K, V]) admitNow(s *slot[K, V], in *incoming[K], value *V) error {
	if c.admitQuickly(s, in, value) {
		return nil
	}
	_, err := c.admit(s, in, value, refuse)
	return err
}

// admitQuickly admits a value and ends the operation, if that can go the quick
// way.
func (c *Cache[K, V]) admitQuickly(s *slot[K, V], in *incoming[K], value *V) bool {
	if c.ways.merges {
		return c.admitGuarded(s, in, value)
	}
	done := c.quick(s, in, value)
	if done {
		c.unlock()
	}
	return done
}

// admitGuarded is admitQuickly for a Merge that may panic.
func (c *Cache[K, V]) admitGuarded(s *slot[K, V], in *incoming[K], value *V) (done bool) {
	panicked := true
	defer func() {
		if done || panicked {
			c.inPlace.undo()
			c.unlock()
		}
	}()
	done = c.quick(s, in, value)
	panicked = false
	return done
}

// admitWait admits a value, waiting for room if need be.
func (c *Cache[K, V]) admitWait(ctx context.Context, s *slot[K, V], in *incoming[K], value *V) (waited time.Duration, err error) {
	if c.admitQuickly(s, in, value) {
		return 0, nil
	}
	return c.admitSlowly(ctx, s, in, value)
}

// admitSlowly is admitWait for a value that cannot go the quick way.
func (c *Cache[K, V]) admitSlowly(ctx context.Context, s *slot[K, V], in *incoming[K], value *V) (waited time.Duration, err error) {
	way := refuse
	if c.options.Overflow == Wait {
		way = await
	}
	for ; ; s = c.slots.get(in.key) {
		w, err := c.admit(s, in, value, way)
		if w == nil {
			return waited, err
		}
		began := c.now()
		select {
		case <-w.ready:
			c.mu.Lock()
			c.putters.recycle(w)
			waited += c.now() - began
			way = given
		case <-ctx.Done():
			c.mu.Lock()
			c.putters.leave(w)
			c.ledger.Puts++
			c.ledger.Rejected++
			c.unlock()
			return c.now() - began, ctx.Err()
		}
	}
}

// entrance says what becomes of a new entry for which there is no room.
type entrance uint8

const (
	refuse entrance = iota
	await           // the caller is enlisted
	given           // it goes in: it had its turn, and only a Return can have taken the room
)

// admit finds the value its place, then ends the operation. It returns a waiter, and counts nothing, when the caller
// has to await room. It counts nothing before the user's functions have
// returned, so that a panic in them leaves all as it was.
func (c *Cache[K, V]) admit(s *slot[K, V], in *incoming[K], value *V, way entrance) (w *waiter, err error) {
	defer c.unlock()
	switch {
	case c.closed:
		err = ErrClosed
	case in.key != in.key:
		err = ErrKey
	case in.op > Append:
		err = fmt.Errorf("cache: unknown operation %v", in.op)
	case s != nil && c.stale(s, in, value):
		c.ledger.Stale++
		c.lose(c.arrived(in, value), Stale)
		c.settle(hold(in.receipt))
	case s != nil && s.state != none && in.op != Append && s.tail().op != Append:
		c.merge(s, in, value)
	default:
		w, err = c.enter(in, value, way)
	}
	if w != nil {
		return w, nil
	}
	if err != nil {
		c.ledger.Rejected++
	}
	c.ledger.Puts++
	return nil, err
}

// enter makes a new entry, if there is room.
func (c *Cache[K, V]) enter(in *incoming[K], value *V, way entrance) (*waiter, error) {
	size := c.size(in.key, *value)
	fits := way == given || c.room(in.op, size)
	switch {
	case fits:
	case way == await:
		w := c.putters.join()
		w.op, w.size = in.op, size
		return w, nil
	case c.options.Overflow != EvictOldest:
		return nil, ErrFull
	}
	i := item[V]{value: *value, at: in.at, newest: in.at, first: in.sequence, last: in.sequence, op: in.op}
	if c.options.HeadStart != nil { // asked once: not of a value that is to wait, and before any is evicted
		i.lead = within(c.options.HeadStart(in.key, *value))
	}
	if !fits && !c.makeRoom(in, size) {
		return nil, ErrFull
	}
	c.insert(in.key, queued[V]{i, rare{hold(in.receipt), size}})
	return nil, nil
}

// insert puts a new entry at the end of the line of its key.
func (c *Cache[K, V]) insert(key K, q queued[V]) {
	s := c.slots.get(key)
	if s == nil {
		s = c.slotOf(key)
	}
	c.sequence++
	q.sequence = c.sequence
	c.ledger.Inserted++
	c.waits(1, q.size)
	if s.state != none {
		s.enqueue(q)
		return
	}
	s.setHead(q)
	c.place(s)
}

// arrived makes an Entry of a value that did not become one.
func (c *Cache[K, V]) arrived(in *incoming[K], value *V) Entry[K, V] {
	return Entry[K, V]{Key: in.key, Value: *value, Op: in.op, First: in.sequence, Last: in.sequence, Taken: c.base.Add(in.at)}
}
