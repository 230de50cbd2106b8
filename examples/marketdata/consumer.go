package main

import (
	"context"
	"sync"
	"time"

	"github.com/headrace/headrace/cache"
)

// slowdown is how many times longer a quote takes in the slow third.
const slowdown = 6

// consumer stands for whatever takes its time over each quote: a database, a
// web page, a person.
type consumer struct {
	service time.Duration // for each quote
	slow    phase

	mu   sync.Mutex
	last map[string]Quote // by symbol
}

func newConsumer(service time.Duration, slow phase) *consumer {
	return &consumer{service: service, slow: slow, last: make(map[string]Quote)}
}

// handle processes one entry.
func (c *consumer) handle(ctx context.Context, e cache.Entry[string, Quote]) error {
	service := c.service
	if c.slow.contains(time.Now()) {
		service *= slowdown
	}
	if err := work(ctx, service); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last[e.Key] = e.Value
	return nil
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

// saw reports whether q is the last quote of its symbol that was processed.
func (c *consumer) saw(q Quote) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last[q.Symbol] == q
}
