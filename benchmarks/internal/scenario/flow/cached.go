package flow

import (
	"context"
	"time"

	"github.com/headrace/headrace/cache"
)

// cached is Headrace's cache. What was taken is leased until it is done.
type cached struct {
	cache   *cache.Cache[uint64, snapshot]
	entries []cache.Entry[uint64, snapshot]
	n       int // entries taken
}

func newCached(instruments int) (*cached, error) {
	c, err := cache.New(cache.Options[uint64, snapshot]{})
	if err != nil {
		return nil, err
	}
	return &cached{cache: c, entries: make([]cache.Entry[uint64, snapshot], instruments)}, nil
}

func (c *cached) put(snapshots []snapshot, at time.Time) {
	for i := range snapshots {
		_ = c.cache.PutAt(snapshots[i].Instrument, snapshots[i], at) // fails only when closed
	}
}

// cachedBatches puts what it gets under one lock.
type cachedBatches struct {
	*cached
	arrivals [chunk]cache.Arrival[uint64, snapshot]
}

func newCachedBatches(instruments int) (*cachedBatches, error) {
	c, err := newCached(instruments)
	return &cachedBatches{cached: c}, err
}

func (c *cachedBatches) put(snapshots []snapshot, at time.Time) {
	batch := c.arrivals[:len(snapshots)]
	for i := range batch {
		a := &batch[i]
		a.Key, a.Value, a.At = snapshots[i].Instrument, snapshots[i], at
	}
	_, _, _ = c.cache.AdmitBatch(context.Background(), batch) // fails only when closed
}

func (c *cached) close() { c.cache.Close() }

func (c *cached) take(into []snapshot) (n int, open bool) {
	n, err := c.cache.TakeBatch(context.Background(), c.entries)
	for i := range c.entries[:n] {
		into[i] = c.entries[i].Value
	}
	c.n = n
	return n, err == nil
}

func (c *cached) done() { c.cache.Done(c.entries[:c.n]...) }
