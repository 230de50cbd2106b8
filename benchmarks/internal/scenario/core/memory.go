package core

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// payload is what a key and a value take by themselves: the header of the
// string, whose bytes are there beforehand, and the struct.
const payload = 16 + 64

// memoryCase fills a store and empties it again. It takes as long as it takes.
func memoryCase(n int, rival bool) bench.Case {
	side := func(name string, open func() (store, error)) bench.Side {
		return bench.Side{Name: name, Measure: func(ctx context.Context, _ time.Duration) (bench.Sample, error) {
			s, err := open()
			if err != nil {
				return nil, err
			}
			return measureMemory(ctx, s, n)
		}}
	}
	c := bench.Case{
		Scenario: "growth", Name: "memory of " + counted(n, "waiting key"),
		About: "One goroutine puts as many keys, and takes them again in batches of 64. The heap is measured after a garbage collection; " +
			"the bytes are those beside key and value. Slowest are the worst single put, and the worst time from one value to the next while they are taken.",
		Metrics: []bench.Metric{
			{Name: "memory", Unit: "B/key", Less: true},
			{Name: "given back", Unit: "%"},
			{Name: "insert", Unit: "ns/op", Less: true},
			{Name: "drain", Unit: "ns/op", Less: true},
			{Name: "slowest put", Unit: "ms", Less: true},
			{Name: "slowest take", Unit: "ms", Less: true},
		},
		Sides: []bench.Side{side(single, newCacheStore)},
	}
	if rival {
		c.Sides = append(c.Sides, side(handWritten, newHandStore))
	}
	if n == 1_000_000 {
		c.Bars = []bench.Bar{
			{Metric: "memory", AtMost: 150, Source: "what order, lease and count take"},
			{Metric: "given back", AtLeast: 95, Source: "a peak leaves nothing behind"},
			{Metric: "slowest take", AtMost: 20, Source: "it is given back without a pause"},
		}
	}
	return c
}

func measureMemory(ctx context.Context, s store, n int) (bench.Sample, error) {
	keys := stringKeys(n)
	empty := heap()
	puts, err := fill(ctx, s, keys)
	if err != nil {
		return nil, err
	}
	full := heap()
	takes, err := drain(s, n)
	if err != nil {
		return nil, err
	}
	left := heap() - empty
	runtime.KeepAlive(s)
	runtime.KeepAlive(keys)
	return bench.Sample{
		"memory":       (full-empty)/float64(n) - payload,
		"given back":   100 * (1 - left/(full-empty)),
		"insert":       puts.mean(n),
		"drain":        takes.mean(n),
		"slowest put":  milliseconds(puts.slowest),
		"slowest take": milliseconds(takes.slowest),
	}, nil
}

// heap returns the bytes in use.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func fill(ctx context.Context, s store, keys []string) (laps, error) {
	lap := start()
	for i, key := range keys {
		if i%step == 0 && ctx.Err() != nil {
			return lap, ctx.Err()
		}
		if err := s.put(key, numbered(i), lap.last); err != nil {
			return lap, err
		}
		lap.next()
	}
	return lap, nil
}

func drain(s store, n int) (laps, error) {
	s.close()
	lap, got, misplaced := start(), 0, 0
	err := s.consume(func(v value) {
		lap.next()
		if v.number != uint64(got) {
			misplaced++
		}
		got++
	})
	lap.next()
	if err == nil && (got != n || misplaced > 0) {
		err = fmt.Errorf("growth: %d values were taken, %d of them out of order, want %d", got, misplaced, n)
	}
	return lap, err
}
