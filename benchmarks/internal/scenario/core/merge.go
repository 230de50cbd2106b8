package core

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/cache"
)

const (
	latest   = "headrace, latest"
	users    = "headrace, a user's merge"
	inPlace  = "headrace, a user's merge in place"
	assigned = "mutex + map"
	merged   = "mutex + map, merged by hand"
)

// mergeCases are about values for keys that wait already, which is nearly all
// that happens under load.
func mergeCases(o bench.Options) []bench.Case {
	cases := []bench.Case{
		mergeCase(stringKeys, 1_000, false, mergeGoals()...),
		mergeCase(stringKeys, 100_000, false, mergeBars()...),
		mergeCase(stringKeys, 100_000, true, freeMerges()...),
		mergeCase(numberKeys, 100_000, false, freeMerges()...),
	}
	if o.Quick {
		return cases
	}
	return append(cases,
		mergeCase(numberKeys, 1_000, false, freeMerges()...),
		mergeCase(stringKeys, 1_000_000, false, freeMerges()...),
		mergeCase(stringKeys, 1_000_000, true, freeMerges()...),
		mergeCase(numberKeys, 1_000_000, false, freeMerges()...),
	)
}

// mergeGoals are what 1,000 keys should do, and bars at what they do.
func mergeGoals() []bench.Bar {
	return slices.Concat(
		freeMerges(),
		latestBar(1.1).AsGoal(1.3),
		usersBar(users).AsGoal(2.4),
		usersBar(inPlace).AsGoal(1.9),
		[]bench.Bar{{Metric: "put", Side: batched, Rival: assigned, AtMost: 1.6, Source: bench.GuardSource}},
	)
}

// mergeBars are what 100,000 keys do.
func mergeBars() []bench.Bar {
	return append(freeMerges(), latestBar(1.4), usersBar(users), usersBar(inPlace))
}

// freeMerges says that no merge allocates.
func freeMerges() []bench.Bar {
	return []bench.Bar{noAllocations(latest), noAllocations(users), noAllocations(inPlace), noAllocations(batched)}
}

func latestBar(limit float64) bench.Bar {
	return bench.Bar{Metric: "put", Side: latest, Rival: assigned, AtMost: limit, Source: "nearly what the assignment alone costs"}
}

func usersBar(side string) bench.Bar {
	return bench.Bar{Metric: "put", Side: side, Rival: assigned, AtMost: 1.6, Source: "the assignment and a call"}
}

func mergeCase[K comparable](keys func(int) []K, n int, shuffled bool, bars ...bench.Bar) bench.Case {
	var key K
	name := counted(n, fmt.Sprintf("%T key", key))
	order := "in turn, in the order in which they were inserted"
	if shuffled {
		name += " in random order"
		order = "in an order that has nothing to do with that of their insertion, so that the caches of the processor do not foresee it"
	}
	side := func(name string, open func() (merger[K], error)) bench.Side {
		return bench.Side{Name: name, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
			m, err := open()
			if err != nil {
				return nil, err
			}
			return measureMerge(m, keys(n), shuffled, about)
		}}
	}
	return bench.Case{
		Scenario: "merge", Name: name,
		About: "One goroutine puts values of 64 bytes for keys that all wait, " + order + ". " +
			"The map holds the latest value and nothing else: no order, no lease, no count. " +
			"Batches of 64 are put under one lock, and take the latest value too.",
		Metrics: costs("put"),
		Sides: []bench.Side{
			side(latest, func() (merger[K], error) { return newCacheMerger(cache.Options[K, value]{}) }),
			side(users, func() (merger[K], error) { return newCacheMerger(cache.Options[K, value]{Merge: addUp}) }),
			side(inPlace, func() (merger[K], error) { return newCacheMerger(cache.Options[K, value]{MergeInto: addInto}) }),
			side(batched, func() (merger[K], error) { return newBatchMerger[K]() }),
			side(assigned, func() (merger[K], error) { return &mapMerger[K]{values: make(map[K]value)}, nil }),
			side(merged, func() (merger[K], error) { return &mapAdder[K]{mapMerger[K]{values: make(map[K]value)}}, nil }),
		},
		Bars: bars,
	}
}

// measureMerge puts the numbers 0, 1, 2 ... for the keys in turn. The first
// round inserts, and is not measured.
func measureMerge[K comparable](m merger[K], keys []K, shuffled bool, about time.Duration) (bench.Sample, error) {
	if err := m.put(keys, 0, len(keys)); err != nil {
		return nil, err
	}
	if shuffled {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	puts := len(keys)
	sample, err := measure(about, "put", func(n int) error {
		puts += n
		return m.put(keys, puts-n, n)
	})
	if err != nil {
		return nil, err
	}
	return sample, checkMerge(m, keys, puts)
}

// checkMerge looks at up to 1,000 keys.
func checkMerge[K comparable](m merger[K], keys []K, puts int) error {
	for i := 0; i < len(keys); i += max(1, len(keys)/1000) {
		last := (puts-1-i)/len(keys)*len(keys) + i
		if last < len(keys) {
			continue // nothing was merged
		}
		got := m.get(keys[i])
		if want := uint64(last); got.number != want {
			return fmt.Errorf("merge: key %v has value %d, want %d", keys[i], got.number, want)
		}
		if want := uint64(last/len(keys) + 1); m.adds() && got.count != want {
			return fmt.Errorf("merge: key %v has %d values, want %d", keys[i], got.count, want)
		}
	}
	return m.check(puts)
}

// addUp is a merge as users write them: it keeps something of both.
func addUp(waiting, arriving value) value {
	arriving.count += waiting.count
	return arriving
}

// addInto is the same in place: it touches what changes.
func addInto(waiting, arriving *value) {
	waiting.number = arriving.number
	waiting.count += arriving.count
}
