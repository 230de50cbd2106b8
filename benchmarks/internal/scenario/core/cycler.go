package core

import (
	"context"
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
)

type cacheCycler struct {
	recurring
	cache *cache.Cache[string, value]
	at    time.Time
	batch []cache.Entry[string, value]
}

func newCacheCycler(batch int) (cycler, error) {
	c, err := cache.New(cache.Options[string, value]{})
	return &cacheCycler{newRecurring(), c, time.Now(), make([]cache.Entry[string, value], batch)}, err
}

func (c *cacheCycler) fill(n int) error {
	for range n {
		key, number := c.next()
		if err := c.cache.PutAt(key, numbered(number), c.at); err != nil {
			return err
		}
	}
	return nil
}

func (c *cacheCycler) cycle(n int) error {
	if len(c.batch) > 1 {
		return c.cycleBatches(n / len(c.batch))
	}
	for range n {
		key, number := c.next()
		if err := c.cache.PutAt(key, numbered(number), c.at); err != nil {
			return err
		}
		if c.cache.TryTakeBatch(c.at, c.batch) != 1 {
			return errors.New("cycle: nothing is there to take")
		}
		if err := c.back(c.batch[0].Value); err != nil {
			return err
		}
		c.cache.Done(c.batch...)
	}
	return nil
}

func (c *cacheCycler) cycleBatches(batches int) error {
	for range batches {
		if err := c.fill(len(c.batch)); err != nil {
			return err
		}
		n, err := c.cache.TakeBatch(context.Background(), c.batch)
		if err != nil {
			return err
		}
		for i := range c.batch[:n] {
			if err := c.back(c.batch[i].Value); err != nil {
				return err
			}
		}
		c.cache.Done(c.batch[:n]...)
	}
	return nil
}

func (c *cacheCycler) stop() { c.cache.Close() }

type listCycler struct {
	recurring
	queue *byHand
	batch []*pair
}

func newListCycler(leases bool, batch int) cycler {
	return &listCycler{newRecurring(), newByHand(leases), make([]*pair, batch)}
}

func (c *listCycler) fill(n int) error {
	for range n {
		key, number := c.next()
		c.queue.put(key, numbered(number))
	}
	return nil
}

func (c *listCycler) cycle(n int) error {
	for range n / len(c.batch) {
		for range c.batch {
			key, number := c.next()
			c.queue.put(key, numbered(number))
		}
		got := c.batch[:c.queue.take(c.batch)]
		for _, p := range got {
			if err := c.back(p.value); err != nil {
				return err
			}
		}
		c.queue.done(got)
	}
	return nil
}

func (c *listCycler) stop() { c.queue.close() }
