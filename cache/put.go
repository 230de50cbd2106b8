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
	return c.put(incoming[K]{key, c.now(), 0, Upsert, nil}, &value)
}

// PutAt is Put for a value that arrived at the time given, which should carry
// a monotonic reading, as that of time.Now does. Zero does not mean now, as it
// does in an Arrival, but before all others.
func (c *Cache[K, V]) PutAt(key K, value V, at time.Time) error {
	return c.put(incoming[K]{key, at.Sub(c.base), 0, Upsert, nil}, &value)
}

// Delete puts a tombstone for key. It takes the place of the value that waits,
// or a new one, always fits, and is never dropped. The value is there for Newer
// and for the consumer to look at.
func (c *Cache[K, V]) Delete(key K, value V) error {
	return c.put(incoming[K]{key, c.now(), 0, Delete, nil}, &value)
}

// Append puts a value that must not be conflated. It queues behind what waits
// for key, which from then on merges with nothing more, and later values of the
// key queue behind it.
func (c *Cache[K, V]) Append(key K, value V) error {
	return c.put(incoming[K]{key, c.now(), 0, Append, nil}, &value)
}

// Admit is Put for a value with all that its source tells of it.
func (c *Cache[K, V]) Admit(a Arrival[K, V]) error {
	return c.put(c.incoming(&a), &a.Value)
}

// PutWait is Put, but waits for room when the cache is at a bound, unless
// Overflow says otherwise. Waiting puts get room in the order they came; one
// whose key waits by then is merged. It returns the error of ctx when that
// ends first.
func (c *Cache[K, V]) PutWait(ctx context.Context, key K, value V) error {
	_, err := c.putWait(ctx, incoming[K]{key, c.now(), 0, Upsert, nil}, &value)
	return err
}

// AdmitWait is PutWait for a value with all that its source tells of it. It
// also returns how long it waited for room: 0, without a reading of the clock,
// when it did not have to.
func (c *Cache[K, V]) AdmitWait(ctx context.Context, a Arrival[K, V]) (waited time.Duration, err error) {
	return c.putWait(ctx, c.incoming(&a), &a.Value)
}

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

func (c *Cache[K, V]) incoming(a *Arrival[K, V]) incoming[K] {
	in := incoming[K]{a.Key, 0, a.Sequence, a.Op, a.Receipt}
	if a.At.IsZero() {
		in.at = c.now()
	} else {
		in.at = a.At.Sub(c.base)
	}
	return in
}

// find locks, and returns the slot of a key.
func (c *Cache[K, V]) find(key K) *slot[K, V] {
	if c.ways.odd {
		hash(key)
	}
	c.mu.Lock()
	return c.slots.get(key)
}

func (c *Cache[K, V]) put(in incoming[K], value *V) error {
	in.at = within(in.at)
	s := c.find(in.key)
	if c.quick(s, &in, value) {
		return nil
	}
	_, err := c.admit(s, &in, value, refuse)
	return err
}

func (c *Cache[K, V]) putWait(ctx context.Context, in incoming[K], value *V) (waited time.Duration, err error) {
	in.at = within(in.at)
	s := c.find(in.key)
	if c.quick(s, &in, value) {
		return 0, nil
	}
	way := refuse
	if c.options.Overflow == Wait {
		way = await
	}
	for ; ; s = c.slots.get(in.key) {
		w, err := c.admit(s, &in, value, way)
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
