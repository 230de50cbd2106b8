package feed

import (
	"context"
	"sync"
	"time"
)

// Consumer handles quotes, and takes its time.
type Consumer struct {
	feed Feed
	all  chan struct{}

	mu   sync.Mutex
	last map[string]int // price of a symbol
	r    Result
}

// NewConsumer returns the consumer of a feed.
func NewConsumer(f Feed) *Consumer {
	return &Consumer{
		feed: f, all: make(chan struct{}), last: make(map[string]int),
		r: Result{Pubsub: f.Pubsub, Published: f.Symbols * f.Prices, Symbols: f.Symbols},
	}
}

// Handle handles a quote. It ends early, with an error, when ctx does.
func (c *Consumer) Handle(ctx context.Context, q Quote) error {
	select {
	case <-time.After(c.feed.Handling):
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r.Handled++
	if q.Price <= c.last[q.Symbol] {
		c.r.Stale++
		return nil
	}
	c.last[q.Symbol] = q.Price
	if q.Price == c.feed.Prices {
		if c.r.FinalOK++; c.r.FinalOK == c.r.Symbols {
			close(c.all)
		}
	}
	return nil
}

// All is closed when the last price of every symbol has been handled.
func (c *Consumer) All() <-chan struct{} { return c.all }

// Result is the result so far.
func (c *Consumer) Result() Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r
}
