package pipeline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
)

// burstOfItems is a source that yields n items a1, a2 ... and then waits for the
// stop. All say that more is at hand, but for the last if it is honest.
func burstOfItems(n int, honest bool) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for i := range n {
				if !yield(Delivery[item]{Value: item{"a", i + 1}, More: i < n-1 || !honest}, nil) {
					return
				}
			}
			<-untilStop(ctx).Done()
		}
	}
}

// Nothing is left staged while a source waits.
func TestBurst(t *testing.T) {
	chain := func(f func(iter.Seq[item]) iter.Seq[item]) Source[item] { return Via(burstOfItems(10, true), f) }
	for name, c := range map[string]struct {
		source Source[item]
		cache  cache.Options[string, item]
		want   int
	}{
		"as it comes":                {source: burstOfItems(10, true), want: 10},
		"longer than a stage":        {source: burstOfItems(2*staged+1, true), want: 2*staged + 1},
		"that breaks off":            {source: burstOfItems(2*staged+1, false), want: 2 * staged},
		"that breaks off in a chain": {source: Via(burstOfItems(2*staged+1, false), func(in iter.Seq[item]) iter.Seq[item] { return in }), want: 2 * staged},
		"with a merge":               {source: burstOfItems(10, false), cache: cache.Options[string, item]{Merge: cache.First[item]}, want: 10},
		"its last one dropped": {source: chain(func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(i item) bool { return i.n < 8 })
		}), want: 7},
		"all dropped": {source: chain(func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(item) bool { return false })
		}), want: 0},
		"multiplied": {source: chain(func(in iter.Seq[item]) iter.Seq[item] {
			return operators.FlatMap(in, func(i item) iter.Seq[item] { return slices.Values([]item{i, i, i}) })
		}), want: 30},
		"through two chains": {source: Via(chain(func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(i item) bool { return i.n < 8 })
		}), func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(i item) bool { return i.n != 7 })
		}), want: 6},
		"held back": {source: chain(func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for chunk := range operators.Chunk(in, 4) {
					for _, i := range chunk {
						if !yield(i) {
							return
						}
					}
				}
			}
		}), want: 8},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustNew(t, Config[string, item]{Cache: c.cache})
				p.Produce(Producer[item]{Source: c.source})
				p.Consume(func(context.Context, cache.Entry[string, item]) error { return nil })
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

// What is staged keeps its order with what is invalid, and each is counted.
func TestBurstWithInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		diary := newDiary()
		d := func(n int, more bool) Delivery[item] {
			return Delivery[item]{Value: item{"a", n}, Receipt: slip{diary, fmt.Sprint(n)}, More: more}
		}
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(d(1, true), nil) && yield(d(2, true), nil) && yield(d(3, true), ErrInvalid) &&
					yield(d(4, true), nil) && yield(d(5, false), nil)
			}
		}
		p := mustNew(t, Config[string, item]{})
		p.Consume(func(context.Context, cache.Entry[string, item]) error { return nil })
		mustEnd(t, p, source)
		diary.check(t, "0s ack 1", "0s ack 2", "0s ack 3", "0s ack 4", "0s ack 5")
		s := p.Stats().Producers[0]
		if s.Received != 5 || s.Admitted != 4 || s.Invalid != 1 {
			t.Errorf("received %d, admitted %d, invalid %d", s.Received, s.Admitted, s.Invalid)
		}
	})
}

// The values of a burst that bring no time of arrival are stamped alike, and a
// later burst later.
func TestBurstStamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stamps []time.Duration
		start := time.Now()
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for i := range 4 {
					time.Sleep(time.Second)
					if !yield(Delivery[item]{Value: item{fmt.Sprint(i), i}, More: i%2 == 0}, nil) {
						return
					}
				}
			}
		}
		p := mustNew(t, Config[string, item]{})
		p.Consume(func(_ context.Context, e cache.Entry[string, item]) error {
			stamps = append(stamps, e.Inserted().Sub(start))
			return nil
		})
		mustEnd(t, p, source)
		if want := []time.Duration{time.Second, time.Second, 3 * time.Second, 3 * time.Second}; !slices.Equal(stamps, want) {
			t.Errorf("stamped %v, want %v", stamps, want)
		}
	})
}

// A channel that sources share leaves nothing staged with any of them.
func TestFromChannelShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan item, 100)
		for n := range cap(ch) {
			ch <- item{"a", n}
		}
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromChannel(ch), Parallel: 4, Partitioned: true})
		p.Consume(func(context.Context, cache.Entry[string, item]) error { return nil })
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		if got := p.Stats().Ledger.Puts; got != uint64(cap(ch)) {
			t.Errorf("%d values are in the cache, want %d", got, cap(ch))
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
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
		got = append(got, fmt.Sprint(d.Value, d.More, err))
	}
	want := []string{"1 true <nil>", "2 true <nil>", "3 false <nil>", "4 false <nil>", "0 false line cut"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range source(t.Context()) {
		break
	}
}
