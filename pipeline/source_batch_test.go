package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
)

// inBatches is a source that yields batches and then waits for the stop.
func inBatches(batches ...[]item) Source[item] {
	return FromBatches(func(ctx context.Context) iter.Seq2[[]item, error] {
		return func(yield func([]item, error) bool) {
			for _, batch := range batches {
				if !yield(batch, nil) {
					return
				}
			}
			<-ctx.Done()
		}
	})
}

// items returns a1, a2 ...
func items(n int) []item {
	all := make([]item, n)
	for i := range all {
		all[i] = item{"a", i + 1}
	}
	return all
}

func unchanged(in iter.Seq[item]) iter.Seq[item] { return in }

// inFours holds back up to three values.
func inFours(in iter.Seq[item]) iter.Seq[item] {
	return operators.FlatMap(operators.Chunk(in, 4), slices.Values[[]item])
}

// inSteps is a chain for TryVia.
func inSteps(chain func(iter.Seq[item]) iter.Seq[item]) func(context.Context, iter.Seq[item]) iter.Seq2[item, error] {
	return func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
		return operators.TryMap(chain(in), func(i item) (item, error) { return i, nil })
	}
}

func below(n int) func(iter.Seq[item]) iter.Seq[item] {
	return func(in iter.Seq[item]) iter.Seq[item] {
		return operators.Filter(in, func(i item) bool { return i.n < n })
	}
}

func times(n int) func(iter.Seq[item]) iter.Seq[item] {
	return func(in iter.Seq[item]) iter.Seq[item] {
		return operators.FlatMap(in, func(i item) iter.Seq[item] { return slices.Values(slices.Repeat([]item{i}, n)) })
	}
}

// All that comes of a batch is in the cache while the source waits for the next.
func TestSourceBatch(t *testing.T) {
	ten := inBatches(items(10))
	long := inBatches(items(2*staged+1), items(1))
	for name, c := range map[string]struct {
		source Source[item]
		cache  cache.Options[string, item]
		want   int
	}{
		"as it comes":         {source: ten, want: 10},
		"longer than a stage": {source: long, want: 2*staged + 2},
		"the same in a chain": {source: Via(long, unchanged), want: 2*staged + 2},
		"with a merge":        {source: long, cache: cache.Options[string, item]{Merge: cache.First[item]}, want: 2*staged + 2},
		"its end dropped":     {source: Via(ten, below(8)), want: 7},
		"all dropped":         {source: Via(ten, below(0)), want: 0},
		"multiplied":          {source: Via(long, times(3)), want: 3 * (2*staged + 2)},
		"through two chains":  {source: Via(Via(ten, times(20)), below(8)), want: 140},
		"an empty one":        {source: inBatches([]item{}, items(2)), want: 2},
		"held back":           {source: Via(ten, inFours), want: 8},
		"through steps":       {source: TryVia(ten, inSteps(unchanged)), want: 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustNew(t, Config[string, item]{Cache: c.cache})
				p.Produce(Producer[item]{Source: c.source})
				p.Consume(func(context.Context, entry) error { return nil })
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- p.Run(ctx) }()
				synctest.Wait()
				if got := p.Stats().Ledger.Puts; got != uint64(c.want) {
					t.Errorf("%d values are in the cache, want %d", got, c.want)
				}
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				checkBalance(t, p)
			})
		})
	}
}

// A chain that ends in the midst of a batch has had what it wants.
func TestSourceBatchOfWhichAChainWantsSome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustRun(t, Config[string, item]{}, Via(inBatches(items(10)), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range in {
					if i.n > 3 || !yield(i) {
						return
					}
				}
			}
		}), func(context.Context, entry) error { return nil })
		if r := p.Stats().Producers[0]; r.Received != 3 || r.Admitted != 3 {
			t.Errorf("%+v", r)
		}
	})
}

func TestFromBatches(t *testing.T) {
	failure := fmt.Errorf("line cut")
	source := FromBatches(func(context.Context) iter.Seq2[[]int, error] {
		return func(yield func([]int, error) bool) {
			_ = yield([]int{1, 2, 3}, nil) && yield(nil, nil) && yield([]int{4}, failure)
		}
	})
	var got []string
	for d, err := range source(t.Context()) {
		got = append(got, fmt.Sprint(d.Batch, err))
	}
	want := []string{"[1 2 3] <nil>", "[4] <nil>", "[] line cut"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range source(t.Context()) {
		break
	}
}

// An error between batches concerns itself only if it says so.
func TestFromBatchesErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want uint64
	}{{ErrInvalid, 3 + 1 + 2}, {errBoom, 3}} {
		t.Run(c.err.Error(), func(t *testing.T) {
			after := false
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: FromBatches(func(context.Context) iter.Seq2[[]item, error] {
				return func(yield func([]item, error) bool) {
					if yield(items(3), c.err) {
						after = yield(nil, nil) && yield(items(2), nil)
					}
				}
			})})
			p.Consume(func(context.Context, entry) error { return nil })
			invalid := errors.Is(c.err, ErrInvalid)
			if err := p.Run(t.Context()); (err == nil) != invalid || after != invalid {
				t.Errorf("Run returned %v, went on: %t", err, after)
			}
			if r := p.Stats().Producers[0]; r.Received != c.want {
				t.Errorf("%+v, want %d", r, c.want)
			}
		})
	}
}
