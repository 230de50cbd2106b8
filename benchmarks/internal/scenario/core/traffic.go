package core

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// trafficCase lets producers put as fast as they can while workers take.
func trafficCase(keys, producers, workers int) bench.Case {
	side := func(name string, open func() (store, error)) bench.Side {
		return bench.Side{Name: name, Measure: func(ctx context.Context, about time.Duration) (bench.Sample, error) {
			s, err := open()
			if err != nil {
				return nil, err
			}
			return newTraffic(s, keys, producers, workers).measure(ctx, about)
		}}
	}
	return bench.Case{
		Scenario: "growth", Name: counted(keys, "key") + ", " + counted(producers, "producer") + ", " + counted(workers, "worker"),
		About: "Producers put their keys in turn as fast as they can, and stamp 64 at a time; workers take batches of 64 and do nothing with them. " +
			"The time ends when all is drained, and the last value of each key has come through.",
		Metrics: []bench.Metric{
			{Name: "throughput", Unit: "updates/s"},
			{Name: "conflation", Unit: "values/entry"},
			{Name: "slowest 64 puts", Unit: "ms", Less: true},
		},
		Sides: []bench.Side{side(single, newCacheStore), side(handWritten, newHandStore)},
	}
}

// traffic is one run. Each producer has keys of its own, so that a key's values
// come in order; a lease keeps a key's values in order among the workers.
type traffic struct {
	store     store
	keys      []string
	producers int
	workers   int
	sent, got []uint64 // number of the last value, by key

	mu      sync.Mutex
	puts    int
	entries int
	slowest time.Duration
	err     error
}

func newTraffic(s store, keys, producers, workers int) *traffic {
	return &traffic{
		store: s, keys: stringKeys(keys), producers: producers, workers: workers,
		sent: make([]uint64, keys), got: make([]uint64, keys),
	}
}

func (t *traffic) measure(ctx context.Context, about time.Duration) (bench.Sample, error) {
	begin := time.Now()
	end := begin.Add(about)
	var producers, workers sync.WaitGroup
	for range t.workers {
		workers.Go(t.work)
	}
	for i := range t.producers {
		producers.Go(func() { t.produce(ctx, i, end) })
	}
	producers.Wait()
	t.store.close()
	workers.Wait()
	took := time.Since(begin)
	if err := errors.Join(ctx.Err(), t.err, t.check()); err != nil {
		return nil, err
	}
	return bench.Sample{
		"throughput":      float64(t.puts) / took.Seconds(),
		"conflation":      float64(t.puts) / float64(t.entries),
		"slowest 64 puts": milliseconds(t.slowest),
	}, nil
}

// produce puts values for every so many keys from the first on.
func (t *traffic) produce(ctx context.Context, first int, end time.Time) {
	lap, puts, key, round := start(), 0, first, uint64(1)
	for lap.last.Before(end) && ctx.Err() == nil {
		for range step {
			if err := t.store.put(t.keys[key], value{number: round, count: uint64(key)}, lap.last); err != nil {
				t.report(puts, 0, lap.slowest, err)
				return
			}
			t.sent[key] = round
			if key += t.producers; key >= len(t.keys) {
				key, round = first, round+1
			}
		}
		puts += step
		lap.next()
	}
	t.report(puts, 0, lap.slowest, nil)
}

func (t *traffic) work() {
	entries, late := 0, 0
	err := t.store.consume(func(v value) {
		entries++
		if v.number <= t.got[v.count] {
			late++
		}
		t.got[v.count] = v.number
	})
	if err == nil && late > 0 {
		err = fmt.Errorf("growth: %d values came after a newer one", late)
	}
	t.report(0, entries, 0, err)
}

func (t *traffic) report(puts, entries int, slowest time.Duration, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.puts += puts
	t.entries += entries
	t.slowest = max(t.slowest, slowest)
	t.err = errors.Join(t.err, err)
}

// check tells whether a last value was lost.
func (t *traffic) check() error {
	for i, want := range t.sent {
		if t.got[i] != want {
			return fmt.Errorf("growth: key %d ended with value %d, want %d", i, t.got[i], want)
		}
	}
	return nil
}
