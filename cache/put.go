package cache

import (
	"context"
	"math"
	"time"
)

// Arrival is a value on its way into the cache.
type Arrival[K comparable, V any] struct {
	Key   K
	Value V
	// Op says what the value does to its key. Default Upsert.
	Op Op
	// At is when the value arrived. It becomes the insertion time of a new
	// entry. Zero means now.
	At time.Time
	// Sequence is the number that the source gave the value; 0 for none.
	Sequence uint64
	// Receipt is acknowledged when the value needs no more. A value that is
	// refused with an error is left to the caller. Nil wants none.
	Receipt Receipt
}

// Put merges value into the entry that waits for key, or inserts a new one.
// It returns ErrFull, ErrClosed or ErrKey, and never blocks. It reads the
// clock; PutAt spares that where the time of arrival is known.
func (c *Cache[K, V]) Put(key K, value V) error {
	return c.put(key, value, c.now(), 0, Upsert)
}

// PutAt is Put for a value that arrived at the time given, which should carry
// a monotonic reading, as that of time.Now does. Zero does not mean now, as it
// does in an Arrival, but before all others.
func (c *Cache[K, V]) PutAt(key K, value V, at time.Time) error {
	return c.put(key, value, at.Sub(c.base), 0, Upsert)
}

// Delete puts a tombstone for key. It takes the place of the value that waits,
// or a new one, always fits, and is never dropped. The value is there for Newer
// and for the consumer to look at.
func (c *Cache[K, V]) Delete(key K, value V) error {
	return c.put(key, value, c.now(), 0, Delete)
}

// Append puts a value that must not be conflated. It queues behind what waits
// for key, which from then on merges with nothing more, and later values of the
// key queue behind it.
func (c *Cache[K, V]) Append(key K, value V) error {
	return c.put(key, value, c.now(), 0, Append)
}

// Admit is Put for a value with all that its source tells of it.
func (c *Cache[K, V]) Admit(a Arrival[K, V]) error {
	return c.putIn(incoming[K, V]{a.Key, a.Value, c.arrival(a.At), a.Sequence, a.Op, a.Receipt})
}

// PutWait is Put, but waits for room when the cache is at a bound, unless
// Overflow says otherwise. Waiting puts get room in the order they came; one
// whose key waits by then is merged. It returns the error of ctx when that
// ends first.
func (c *Cache[K, V]) PutWait(ctx context.Context, key K, value V) error {
	_, err := c.putWait(ctx, incoming[K, V]{key, value, c.now(), 0, Upsert, nil})
	return err
}

// AdmitWait is PutWait for a value with all that its source tells of it. It
// also returns how long it waited for room: 0, without a reading of the clock,
// when it did not have to.
func (c *Cache[K, V]) AdmitWait(ctx context.Context, a Arrival[K, V]) (waited time.Duration, err error) {
	return c.putWait(ctx, incoming[K, V]{a.Key, a.Value, c.arrival(a.At), a.Sequence, a.Op, a.Receipt})
}

func (c *Cache[K, V]) arrival(at time.Time) time.Duration {
	if at.IsZero() {
		return c.now()
	}
	return at.Sub(c.base)
}

// incoming is an Arrival in the cache's terms.
type incoming[K comparable, V any] struct {
	key      K
	value    V
	at       time.Duration
	sequence uint64
	op       Op
	receipt  Receipt
}

func (c *Cache[K, V]) put(key K, value V, at time.Duration, sequence uint64, op Op) error {
	hash(key)
	c.mu.Lock()
	s := c.slots.get(key)
	if s != nil && c.overwrites && op == Upsert && s.overwritable() && !c.closed {
		c.overwrite(s, value, at, sequence)
		return nil
	}
	in := incoming[K, V]{key, value, at, sequence, op, nil}
	_, err := c.admit(s, &in, refuse)
	return err
}

// overwrite is the way of nearly every value under load. It ends the operation,
// and wakes nobody: it makes neither an entry eligible nor room.
func (c *Cache[K, V]) overwrite(s *slot[K, V], value V, at time.Duration, sequence uint64) {
	s.head.value = value
	s.head.merged++
	s.head.absorb(at, sequence)
	c.ledger.Puts++
	c.ledger.Merged++
	c.mu.Unlock()
}

func (c *Cache[K, V]) putIn(in incoming[K, V]) error {
	hash(in.key)
	c.mu.Lock()
	_, err := c.admit(c.slots.get(in.key), &in, refuse)
	return err
}

func (c *Cache[K, V]) putWait(ctx context.Context, in incoming[K, V]) (waited time.Duration, err error) {
	way := refuse
	if c.options.Overflow == Wait {
		way = await
	}
	hash(in.key)
	c.mu.Lock()
	s := c.slots.get(in.key)
	if s != nil && c.overwrites && in.op == Upsert && in.receipt == nil && s.overwritable() && !c.closed {
		c.overwrite(s, in.value, in.at, in.sequence)
		return 0, nil
	}
	for ; ; s = c.slots.get(in.key) {
		w, err := c.admit(s, &in, way)
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

// distant, 146 years, bounds the times of arrival and the head starts, so that
// no difference of them overflows: the zero time lies further back than a
// Duration reaches.
const distant = time.Duration(math.MaxInt64 / 2)

func within(d time.Duration) time.Duration { return min(max(d, -distant), distant) }
