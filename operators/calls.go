package operators

import (
	"context"
	"sync"
)

// calls are the calls that one range of Parallel has started and not yielded.
// They stand in a ring, whose places are used again.
type calls[T, U any] struct {
	ctx    context.Context // what f gets
	cancel context.CancelFunc
	f      func(context.Context, T) (U, error)
	group  sync.WaitGroup

	ring   []call[T, U]
	oldest int // place of the oldest call
	count  int
}

func newCalls[T, U any](ctx context.Context, n int, f func(context.Context, T) (U, error)) *calls[T, U] {
	c := &calls[T, U]{f: f, ring: make([]call[T, U], n)}
	c.ctx, c.cancel = context.WithCancel(ctx)
	for i := range c.ring {
		c.ring[i].done = make(chan struct{}, 1)
	}
	return c
}

func (c *calls[T, U]) full() bool {
	return c.count == len(c.ring)
}

// ready reports whether the oldest call has ended.
func (c *calls[T, U]) ready() bool {
	return c.count > 0 && len(c.ring[c.oldest].done) > 0
}

// start calls f in a goroutine. There must be room.
func (c *calls[T, U]) start(v T) {
	next := &c.ring[(c.oldest+c.count)%len(c.ring)]
	c.count++
	c.group.Go(func() { next.run(c.ctx, c.f, v) })
}

// yieldOldest waits for the oldest call, yields its result, and reports whether
// to go on. The call leaves the ring first: should yield panic, stop must not
// take it for one that was never looked at.
func (c *calls[T, U]) yieldOldest(ctx context.Context, yield func(U, error) bool) bool {
	oldest := &c.ring[c.oldest]
	<-oldest.done // also after the end of ctx: stop would wait for it all the same
	if ended(ctx, yield) {
		return false
	}
	c.drop()
	oldest.raise()
	return yield(oldest.value, oldest.err)
}

func (c *calls[T, U]) drop() {
	c.oldest = (c.oldest + 1) % len(c.ring)
	c.count--
}

// stop ends the calls still under way and waits for them. A panic among them is
// raised: it is a bug, and must not go unseen because nobody read that far.
func (c *calls[T, U]) stop() {
	c.cancel()
	c.group.Wait()
	for c.count > 0 {
		oldest := &c.ring[c.oldest]
		c.drop()
		oldest.raise()
	}
}
