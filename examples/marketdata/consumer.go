package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/cache"
)

// consumer stands for whatever takes its time over each update: a database, a
// web page, a person.
type consumer struct {
	service  time.Duration // for each update, when it is alone
	capacity int           // how many it works on at full speed; 0 for any number
	slowdown int           // how many times longer an update takes in the slow phase
	slow     phase

	running atomic.Int64
	waits   waits

	mu   sync.Mutex
	seen map[string]history
	tape tape
}

// history is what the consumer has seen of a symbol.
type history struct {
	quote Update // the last one
	trade uint32 // number of the last one
}

// tape counts the trades that the consumer has seen.
type tape struct {
	seen  int
	right int // next in order, and right after the quote before it
}

func newConsumer(o options, slow phase) *consumer {
	return &consumer{
		service: o.consume, capacity: o.capacity, slowdown: o.slowdown, slow: slow,
		seen: make(map[string]history),
	}
}

// handle processes one entry.
func (c *consumer) handle(ctx context.Context, e cache.Entry[string, Update]) error {
	running := c.running.Add(1)
	defer c.running.Add(-1)
	if err := work(ctx, c.duration(time.Now(), int(running))); err != nil {
		return err
	}
	c.waits.add(e.Key, e.Wait())
	c.note(e.Value)
	return nil
}

// duration is how long an update takes that begins when so many are running.
// Those beyond the capacity share the server with the others.
func (c *consumer) duration(now time.Time, running int) time.Duration {
	d := c.service
	if c.slow.contains(now) {
		d *= time.Duration(c.slowdown)
	}
	if c.capacity > 0 && running > c.capacity {
		d = d * time.Duration(running) / time.Duration(c.capacity)
	}
	return d
}

// work takes the time given, unless ctx ends before.
func work(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// note keeps what is checked later, and checks the order of trades. The quote
// before a trade is never conflated away: it must be the last one seen.
func (c *consumer) note(u Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.seen[u.Symbol]
	if u.Trade == 0 {
		h.quote = u
	} else {
		c.tape.seen++
		if u.Trade == h.trade+1 && u.Version == h.quote.Version {
			c.tape.right++
		}
		h.trade = u.Trade
	}
	c.seen[u.Symbol] = h
}

// saw reports whether u is the last quote of its symbol that was processed.
func (c *consumer) saw(u Update) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[u.Symbol].quote == u
}

// trades returns the trades that have been processed.
func (c *consumer) trades() tape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tape
}
