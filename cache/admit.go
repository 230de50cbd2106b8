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

// stale reports whether a value is out of date against what waits or is leased.
func (c *Cache[K, V]) stale(s *slot[K, V], in *incoming[K], value *V) bool {
	if c.options.Newer == nil || !c.options.Replaces || in.op == Append {
		return false
	}
	newest, ok := s.newest()
	return ok && !c.options.Newer(newest, *value)
}

// merge merges a value into the last waiting entry of its key.
func (c *Cache[K, V]) merge(s *slot[K, V], in *incoming[K], value *V) {
	tail := s.tail()
	if c.cancels(tail, in.op) && !c.late(tail.value, *value) {
		c.annihilate(s, tail, in, value)
		return
	}
	merged, op, gone := c.ordered(tail.value, *value, tail.op, in.op)
	size := c.size(s.key, merged)
	if in.receipt != nil || s.extra != nil {
		c.supersede(&s.rareOf(tail).held, hold(in.receipt), gone)
	}
	if c.options.SizeOf != nil {
		r := s.rareOf(tail)
		c.waits(0, size-r.size)
		r.size = size
	}
	c.setOp(s, tail, op)
	tail.value = merged
	tail.merged++
	tail.absorb(in.at, in.sequence)
	c.ledger.Merged++
	if c.options.Overflow == EvictOldest && c.options.MaxBytes > 0 {
		for c.ledger.Bytes > c.options.MaxBytes && c.ledger.Waiting > 1 && c.evict(in.at) {
		}
	}
}

// ordered combines two values in the order that Newer tells.
func (c *Cache[K, V]) ordered(waiting, arriving V, waitingOp, arrivingOp Op) (V, Op, gone) {
	if c.late(waiting, arriving) {
		value, op, replaced := c.combine(arriving, waiting, arrivingOp, waitingOp)
		if replaced {
			return value, op, arrivingGone
		}
		return value, op, nothingGone
	}
	value, op, replaced := c.combine(waiting, arriving, waitingOp, arrivingOp)
	if replaced {
		return value, op, waitingGone
	}
	return value, op, nothingGone
}

// gone says of which of two combined values nothing is left.
type gone uint8

const (
	nothingGone gone = iota
	waitingGone
	arrivingGone
)

// supersede joins the receipts of two values that were combined. Those of a
// value of which nothing is left are settled: its successor is held.
func (c *Cache[K, V]) supersede(waiting **held, arriving *held, g gone) {
	if *waiting == nil && arriving == nil {
		return
	}
	switch g {
	case waitingGone:
		c.settle(*waiting)
		*waiting = arriving
	case arrivingGone:
		c.settle(arriving)
	default:
		*waiting = (*waiting).with(arriving)
	}
}

// late reports whether Newer puts the arriving value before the waiting one. A
// merge that replaces never sees one that is: it is stale.
func (c *Cache[K, V]) late(waiting, arriving V) bool {
	return c.options.Newer != nil && !c.options.Replaces && !c.options.Newer(waiting, arriving)
}

// annihilate takes out the last entry of a line together with its delete.
func (c *Cache[K, V]) annihilate(s *slot[K, V], tail *item[V], in *incoming[K], value *V) {
	c.lose(c.entry(s.key, tail, in.at), Annihilated)
	c.lose(c.arrived(in, value), Annihilated)
	c.ledger.Annihilated++
	size := int64(0)
	if s.extra != nil {
		r := s.rareOf(tail)
		c.settle(r.held)
		size = r.size
	}
	c.settle(hold(in.receipt))
	c.waits(-1, -size)
	if tail != &s.head {
		s.shorten()
		return
	}
	c.withdraw(s)
	s.advance()
	c.next(s)
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
	switch {
	case s == nil:
		s = c.slotOf(key)
	case s.state == none:
		c.revive(s)
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
