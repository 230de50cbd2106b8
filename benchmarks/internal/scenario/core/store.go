package core

import (
	"context"
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
)

const handWritten = listedLeases

// store is what coalesces between producers and workers.
type store interface {
	put(key string, v value, at time.Time) error
	close()
	// consume takes batches of up to 64 and ends their leases after it has
	// handed on each value, until the store is closed and nothing is left.
	consume(got func(value)) error
}

type cacheStore struct{ *cache.Cache[string, value] }

func newCacheStore() (store, error) {
	c, err := cache.New(cache.Options[string, value]{})
	return cacheStore{c}, err
}

func (s cacheStore) put(key string, v value, at time.Time) error { return s.PutAt(key, v, at) }

func (s cacheStore) close() { s.Close() }

func (s cacheStore) consume(got func(value)) error {
	batch := make([]cache.Entry[string, value], step)
	for {
		n, err := s.TakeBatch(context.Background(), batch)
		if errors.Is(err, cache.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range batch[:n] {
			got(batch[i].Value)
		}
		s.Done(batch[:n]...)
	}
}

type handStore struct{ *byHand }

func newHandStore() (store, error) { return handStore{newByHand(true)}, nil }

func (s handStore) put(key string, v value, _ time.Time) error {
	s.byHand.put(key, v)
	return nil
}

func (s handStore) consume(got func(value)) error {
	batch := make([]*pair, step)
	for {
		n := s.take(batch)
		if n == 0 {
			return nil
		}
		for _, p := range batch[:n] {
			got(p.value)
		}
		s.done(batch[:n])
	}
}
