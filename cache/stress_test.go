package cache

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	stressProducers = 4
	stressTakers    = 4
	stressKeys      = 8 // of each producer: nobody else puts them
)

// TestStress lets producers wait at a small bound while takers take, give up
// and return at random. Whatever happens, no key has two holders, the values
// of a key come in order, and the last one comes.
func TestStress(t *testing.T) {
	puts := 1_000
	if testing.Short() {
		puts = 200
	}
	var dropped atomic.Int64
	c := mustNew(t, Options[int, int]{
		MaxEntries: 5,
		OnDrop:     func(Entry[int, int], Reason) { dropped.Add(1) },
	})
	var producers, takers sync.WaitGroup
	for p := range stressProducers {
		produce := []func(*testing.T, *Cache[int, int], int, int){produce, produceBatches}[p%2]
		producers.Go(func() { produce(t, c, p, puts) })
	}
	var s stress
	for i := range stressTakers {
		takers.Go(func() { s.take(t, c, i%2 == 0) })
	}
	reader := make(chan struct{})
	go func() {
		defer close(reader)
		read(t, c)
	}()
	producers.Wait()
	c.Close()
	takers.Wait()
	<-reader

	for key := range s.keys {
		if got := s.keys[key].last.Load(); got != int64(puts-1) {
			t.Errorf("the last value of key %d is %d, want %d", key, got, puts-1)
		}
	}
	l := c.Ledger()
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	if want := uint64(stressProducers * stressKeys * puts); l.Puts-l.Rejected != want || l.Waiting+l.Leased != 0 {
		t.Errorf("%d accepted, want %d, in %+v", l.Puts-l.Rejected, want, l)
	}
	if uint64(dropped.Load()) != l.Dead {
		t.Errorf("%d drops reported, %d counted", dropped.Load(), l.Dead)
	}
}

func produce(t *testing.T, c *Cache[int, int], p, puts int) {
	for v := range puts {
		for k := range stressKeys {
			key := p*stressKeys + k
			err := errors.ErrUnsupported
			for err != nil {
				ctx, cancel := context.WithCancel(context.Background())
				if rand.IntN(16) == 0 {
					go cancel() // at any moment of the wait
				}
				err = c.PutWait(ctx, key, v)
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("PutWait: %v", err)
					return
				}
			}
		}
	}
}

// produceBatches is produce with a value for each key at once. A batch goes on
// where it broke off.
func produceBatches(t *testing.T, c *Cache[int, int], p, puts int) {
	batch := make([]Arrival[int, int], stressKeys)
	for v := range puts {
		for k := range batch {
			batch[k] = Arrival[int, int]{Key: p*stressKeys + k, Value: v}
		}
		for rest := batch; len(rest) > 0; {
			ctx, cancel := context.WithCancel(context.Background())
			if rand.IntN(4) == 0 {
				go cancel()
			}
			n, _, err := c.AdmitBatch(ctx, rest)
			cancel()
			rest = rest[n:]
			if err != nil && !errors.Is(err, context.Canceled) || err == nil && len(rest) > 0 {
				t.Errorf("AdmitBatch: %d are left, %v", len(rest), err)
				return
			}
		}
	}
}

// read hammers the methods that only look.
func read(t *testing.T, c *Cache[int, int]) {
	for {
		l := c.Ledger()
		if err := l.Check(); err != nil {
			t.Error(err)
			return
		}
		for e := range c.All() {
			c.Get(e.Key)
		}
		c.OldestAge()
		if c.Eligible(); c.Wait(context.Background()) != nil {
			return
		}
	}
}

// stress is what the takers know of each key.
type stress struct {
	keys [stressProducers * stressKeys]struct {
		holders atomic.Int32
		last    atomic.Int64 // the newest value seen
	}
}

func (s *stress) take(t *testing.T, c *Cache[int, int], batches bool) {
	entries := make([]Entry[int, int], 1)
	if batches {
		entries = make([]Entry[int, int], 7)
	}
	for {
		n, err := s.next(c, entries)
		if err != nil {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("take: %v", err)
			}
			return
		}
		for i := range entries[:n] {
			s.handle(t, c, &entries[i])
		}
	}
}

func (s *stress) next(c *Cache[int, int], entries []Entry[int, int]) (n int, err error) {
	if len(entries) > 1 {
		return c.TakeBatch(context.Background(), entries)
	}
	entries[0], err = c.Take(context.Background())
	return 1, err
}

func (s *stress) handle(t *testing.T, c *Cache[int, int], e *Entry[int, int]) {
	k := &s.keys[e.Key]
	if k.holders.Add(1) != 1 {
		t.Errorf("key %d has two holders", e.Key)
	}
	if last := k.last.Swap(int64(e.Value)); last > int64(e.Value) {
		t.Errorf("key %d: %d came after %d", e.Key, e.Value, last)
	}
	k.holders.Add(-1)
	switch rand.IntN(8) {
	case 0:
		c.Return(*e, 0)
	case 1:
		c.Return(*e, time.Duration(rand.IntN(100))*time.Microsecond)
	case 2:
		c.GiveUp(*e)
	default:
		c.Done(*e)
		c.Done(*e)
	}
}
