package core

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/headrace/headrace/cache"
)

// merger is a place where values wait for their keys. Each has a loop of its
// own, so that no side pays for a call through an interface.
type merger[K comparable] interface {
	put(keys []K, first, n int) error // n numbered values from the first on, for the keys in turn
	get(K) value
	adds() bool // whether it also counts the values of a key
	check(puts int) error
}

type cacheMerger[K comparable] struct {
	cache  *cache.Cache[K, value]
	merges bool
	at     time.Time
}

func newCacheMerger[K comparable](o cache.Options[K, value]) (*cacheMerger[K], error) {
	c, err := cache.New(o)
	return &cacheMerger[K]{cache: c, merges: o.Merge != nil || o.MergeInto != nil, at: time.Now()}, err
}

func (m *cacheMerger[K]) put(keys []K, first, n int) error {
	i := first % len(keys)
	for v := first; v < first+n; v++ {
		if err := m.cache.PutAt(keys[i], numbered(v), m.at); err != nil {
			return err
		}
		if i++; i == len(keys) {
			i = 0
		}
	}
	return nil
}

// batchMerger puts in batches of 64.
type batchMerger[K comparable] struct {
	*cacheMerger[K]
	arrivals [step]cache.Arrival[K, value]
}

func newBatchMerger[K comparable]() (*batchMerger[K], error) {
	one, err := newCacheMerger(cache.Options[K, value]{})
	m := &batchMerger[K]{cacheMerger: one}
	for i := range m.arrivals {
		m.arrivals[i].At = one.at
	}
	return m, err
}

func (m *batchMerger[K]) put(keys []K, first, n int) error {
	i := first % len(keys)
	for v, end := first, first+n; v < end; {
		batch := m.arrivals[:min(step, end-v)]
		for j := range batch {
			batch[j].Key, batch[j].Value = keys[i], numbered(v+j)
			if i++; i == len(keys) {
				i = 0
			}
		}
		if _, _, err := m.cache.AdmitBatch(context.Background(), batch); err != nil {
			return err
		}
		v += len(batch)
	}
	return nil
}

func (m *cacheMerger[K]) get(key K) value {
	v, _ := m.cache.Get(key)
	return v
}

func (m *cacheMerger[K]) adds() bool { return m.merges }

func (m *cacheMerger[K]) check(puts int) error {
	l := m.cache.Ledger()
	if want := uint64(puts) - l.Waiting; l.Puts != uint64(puts) || l.Merged != want {
		return fmt.Errorf("merge: %d puts and %d merged, want %d and %d", l.Puts, l.Merged, puts, want)
	}
	return l.Check()
}

// mapMerger is the least that could work.
type mapMerger[K comparable] struct {
	mu     sync.Mutex
	values map[K]value
}

func (m *mapMerger[K]) put(keys []K, first, n int) error {
	i := first % len(keys)
	for v := first; v < first+n; v++ {
		m.assign(keys[i], numbered(v))
		if i++; i == len(keys) {
			i = 0
		}
	}
	return nil
}

func (m *mapMerger[K]) assign(key K, v value) {
	m.mu.Lock()
	m.values[key] = v
	m.mu.Unlock()
}

func (m *mapMerger[K]) get(key K) value { return m.values[key] }

func (m *mapMerger[K]) adds() bool { return false }

func (m *mapMerger[K]) check(int) error { return nil } // its values tell all

// mapAdder merges as addUp does.
type mapAdder[K comparable] struct{ mapMerger[K] }

func (m *mapAdder[K]) put(keys []K, first, n int) error {
	i := first % len(keys)
	for v := first; v < first+n; v++ {
		m.merge(keys[i], numbered(v))
		if i++; i == len(keys) {
			i = 0
		}
	}
	return nil
}

func (m *mapAdder[K]) merge(key K, v value) {
	m.mu.Lock()
	m.values[key] = addUp(m.values[key], v)
	m.mu.Unlock()
}

func (m *mapAdder[K]) adds() bool { return true }
