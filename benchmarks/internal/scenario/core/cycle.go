package core

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

const (
	single        = "headrace"
	batched       = "headrace, batches of 64"
	listed        = "mutex + map + list"
	listedLeases  = "mutex + map + list, with leases"
	listedBatches = "mutex + map + list, batches of 64"
	workQueue     = "client-go workqueue"
	priorityQueue = "controller-runtime priorityqueue"
)

// cycleCases are about keys that come, are taken and done, and come again: what
// happens while the consumer keeps up.
func cycleCases() []bench.Case {
	return []bench.Case{
		cycleCase(1, slices.Concat(cycleBars(), batchedByHand.AsGoal(0.65), []bench.Bar{batchedQueue})...),
		cycleCase(500, append(cycleBars(), batchedByHand, batchedQueue)...),
	}
}

var (
	batchedByHand = bench.Bar{Metric: "cycle", Side: batched, Rival: listed, AtMost: 0.5, Source: "batches pay"}
	batchedQueue  = bench.Bar{Metric: "cycle", Side: batched, Rival: workQueue, AtMost: 0.6, Source: "batches pay"}
)

func cycleBars() []bench.Bar {
	return []bench.Bar{
		{Metric: "cycle", Side: single, Rival: listed, AtMost: 0.8, Source: "better than by hand"},
		{Metric: "cycle", Side: single, Rival: workQueue, AtMost: 1, Source: "values for the price of keys"},
		noAllocations(single),
		noAllocations(batched),
	}
}

func cycleCase(depth int, bars ...bench.Bar) bench.Case {
	side := func(name string, start func() (cycler, error)) bench.Side {
		return bench.Side{Name: name, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
			c, err := start()
			if err != nil {
				return nil, err
			}
			defer c.stop()
			return measureCycle(c, depth, about)
		}}
	}
	return bench.Case{
		Scenario: "cycle", Name: fmt.Sprintf("put, take and done, %d of 1,000 keys waiting", depth),
		About: "One goroutine puts a key that does not wait, takes the oldest and ends its lease. " +
			"Headrace is handed the time, for a put and for a take of one; a take of a batch reads the clock. " +
			"The list by hand has no leases unless it says so; the two queues hold keys only, without values.",
		Metrics: costs("cycle"),
		Sides: []bench.Side{
			side(single, func() (cycler, error) { return newCacheCycler(1) }),
			side(batched, func() (cycler, error) { return newCacheCycler(step) }),
			side(listed, func() (cycler, error) { return newListCycler(false, 1), nil }),
			side(listedLeases, func() (cycler, error) { return newListCycler(true, 1), nil }),
			side(listedBatches, func() (cycler, error) { return newListCycler(false, step), nil }),
			side(workQueue, func() (cycler, error) { return newWorkQueueCycler(), nil }),
			side(priorityQueue, func() (cycler, error) { return newPriorityQueueCycler(), nil }),
		},
		Bars: bars,
	}
}

// cycler is a queue with a loop of its own around it.
type cycler interface {
	fill(n int) error  // puts n keys
	cycle(n int) error // puts, takes and ends n keys
	stop()
}

func measureCycle(c cycler, depth int, about time.Duration) (bench.Sample, error) {
	if err := c.fill(depth - 1); err != nil {
		return nil, err
	}
	return measure(about, "cycle", c.cycle)
}

// recurring is a source of 1,000 keys in turn, with numbered values, and checks
// that all come back in order.
type recurring struct {
	keys      []string
	put, got  int
	nextPut   int // index of the key
	nextTaken int
}

func newRecurring() recurring { return recurring{keys: stringKeys(1000)} }

// next returns what to put.
func (r *recurring) next() (key string, number int) {
	key, number = r.keys[r.nextPut], r.put
	r.put++
	if r.nextPut++; r.nextPut == len(r.keys) {
		r.nextPut = 0
	}
	return key, number
}

// back notes that a value came back.
func (r *recurring) back(v value) error {
	if want := uint64(r.got); v.number != want {
		return fmt.Errorf("cycle: value %d came back, want %d", v.number, want)
	}
	r.got++
	return nil
}

// backKey is back for a queue that holds keys only.
func (r *recurring) backKey(key string) error {
	if want := r.keys[r.nextTaken]; key != want {
		return fmt.Errorf("cycle: key %q came back, want %q", key, want)
	}
	if r.nextTaken++; r.nextTaken == len(r.keys) {
		r.nextTaken = 0
	}
	return nil
}
