package pipeline

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
)

// endless yields batches of three, one a second.
func endless(ctx context.Context) iter.Seq2[[]item, error] {
	return func(yield func([]item, error) bool) {
		for n := 1; ctx.Err() == nil; n += 3 {
			if !yield([]item{{"a", n}, {"b", n + 1}, {"c", n + 2}}, nil) {
				return
			}
			wait(ctx, time.Second)
		}
	}
}

// A batch that has begun is taken to its end, whatever ends the source.
func TestFromBatchesEndsWithABatch(t *testing.T) {
	plain := FromBatches(endless)
	same := Via(plain, unchanged)
	try := TryVia(plain, inSteps(unchanged))
	for name, source := range map[string]Source[item]{"plain": plain, "Via": same, "TryVia": try} {
		for _, merge := range []bool{false, true} {
			for _, end := range []string{"stop", "on", "above"} {
				t.Run(name+" "+end, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						var seen []int
						var c Config[string, item]
						if merge {
							c.Cache.Merge = cache.Latest[item]
						}
						c.Key = func(i item) string {
							seen = append(seen, i.n)
							if end == "stop" && i.n == 31 {
								cancel()
								synctest.Wait()
							}
							if end == "on" && i.n%3 == 1 {
								time.Sleep(1600 * ms)
							}
							return i.key
						}
						var o Intermittent
						switch end {
						case "on":
							o = Intermittent{On: 1500 * ms, Off: time.Second}
						case "above":
							o = Intermittent{Above: 1}
							c.Metronome = every
						}
						p := mustNew(t, c)
						p.Produce(Producer[item]{Source: source, Intermittent: o})
						p.Consume(func(context.Context, entry) error { return nil })
						if err := p.Run(ctx); err != nil {
							t.Error(err)
						}
						if len(seen)%3 != 0 {
							t.Errorf("broken batch: %v", seen)
						}
						s := p.Stats()
						if r := s.Producers[0]; r.Rejected > 0 || r.Admitted != uint64(len(seen)) {
							t.Errorf("%d seen, %+v", len(seen), r)
						}
						if len(slices.Compact(seen)) < 6 {
							t.Errorf("only %v", seen)
						}
					})
				})
			}
		}
	}
}

// The end of a batch that a chain drops ends it too: a stop does not take the
// source for one that has more in hand.
func TestBatchEndDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				yield(Delivery[item]{Batch: []item{{"a", 1}, {"b", 2}}}, nil)
				time.Sleep(time.Minute) // whatever its context says
			}
		}
		p := mustNew(t, Config[string, item]{Grace: time.Second, DrainTimeout: 10 * time.Second})
		p.Produce(Producer[item]{Source: Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(i item) bool { return i.n == 1 })
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		err := p.Run(cancelAt(t, time.Second))
		if got := time.Since(start); err == nil || got != 2*time.Second {
			t.Errorf("Run returned %v after %v, want a StuckError after 2s", err, got)
		}
		time.Sleep(time.Minute)
	})
}

// What was at hand in a channel when the stop begins is in the hands of the source,
// and goes in; what has come later stays there.
func TestFromChannelAtTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan item, 3)
		for n := range cap(ch) {
			ch <- item{"a", n}
		}
		ctx, cancel := context.WithCancel(t.Context())
		p := mustNew(t, Config[string, item]{Key: func(i item) string {
			if i.n == 0 {
				ch <- item{"late", 1}
				cancel()
				synctest.Wait()
			}
			return i.key
		}})
		p.Produce(Producer[item]{Source: FromChannel(ch)})
		p.Consume(func(context.Context, entry) error { return nil })
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
		if r := p.Stats().Producers[0]; r.Admitted != 3 || len(ch) != 1 {
			t.Errorf("%+v, %d values are left in the channel, want 1", r, len(ch))
		}
	})
}

// Behind steps that may wait it stays there too, but for the one value that they
// are fed.
func TestFromChannelBehindSteps(t *testing.T) {
	for _, chain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ch := make(chan item, 5)
			for _, i := range five {
				ch <- i
			}
			source := FromChannel(ch)
			if chain {
				source = Via(source, unchanged)
			}
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: TryVia(source, func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
				return operators.TryMap(in, func(i item) (item, error) { time.Sleep(10 * ms); return i, nil })
			})})
			p.Consume(newDiary().reader(0))
			if err := p.Run(cancelAt(t, 15*ms)); err != nil {
				t.Error(err)
			}
			if r := p.Stats().Producers[0]; r.Received != 2 || len(ch) != 3 {
				t.Errorf("%+v, %d values are left in the channel, want 3", r, len(ch))
			}
		})
	}
}

// The context of FromBatches ends when the stop begins, not when all is drained.
func TestFromBatchesIsToldOfTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromBatches(func(ctx context.Context) iter.Seq2[[]item, error] {
			return func(yield func([]item, error) bool) {
				yield(five[:2], nil)
				<-ctx.Done()
				d.note("told")
			}
		})})
		p.Consume(d.reader(10 * ms))
		if err := p.Run(cancelAt(t, 5*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "0s a1", "5ms told", "10ms b1")
	})
}

// A channel that sources share is emptied whoever takes how much.
func TestFromChannelShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan item, 300)
		for n := range cap(ch) {
			ch <- item{"a", n}
		}
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromChannel(ch), Parallel: 4, Partitioned: true})
		p.Consume(func(context.Context, entry) error { return nil })
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

// A stop waits for all that a chain makes of a delivery.
func TestFromBatchesMultiplied(t *testing.T) {
	for _, d := range []Delivery[item]{{Batch: []item{{"a", 1}, {"b", 100}}}, {Value: item{"b", 101}}} {
		synctest.Test(t, func(t *testing.T) {
			c := Config[string, item]{DrainTimeout: time.Minute}
			c.Cache.MaxEntries = 1
			p := mustNew(t, c)
			p.Produce(Producer[item]{Source: Via(yielding(d), copying)})
			p.Consume(newDiary().reader(10 * ms))
			if err := p.Run(cancelAt(t, 5*ms)); err != nil {
				t.Error(err)
			}
			if r := p.Stats().Producers[0]; r.Received != 101 || r.Admitted != 101 {
				t.Errorf("of 101 values: %+v", r)
			}
		})
	}
}

// Also between two values of one delivery.
func TestStopAmidAChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: Via(yielding(Delivery[item]{Value: item{"a", 1}}), func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Tap(times(5)(in), func(item) { time.Sleep(10 * ms) })
		})})
		p.Consume(newDiary().reader(0))
		if err := p.Run(cancelAt(t, 15*ms)); err != nil {
			t.Error(err)
		}
		if r := p.Stats().Producers[0]; r.Admitted != 5 || r.Rejected != 0 {
			t.Errorf("producer %+v", r)
		}
	})
}

// It does not wait for steps that may wait between two values of one delivery.
func TestStopAmidSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		p := mustNew(t, Config[string, item]{Grace: time.Second, DrainTimeout: 10 * time.Second})
		p.Produce(Producer[item]{Source: TryVia(yielding(Delivery[item]{Value: item{"a", 1}}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for i := range in {
					if !yield(i, nil) {
						return
					}
					time.Sleep(time.Minute)
				}
			}
		})})
		p.Consume(newDiary().reader(0))
		err := p.Run(cancelAt(t, time.Second))
		if got := time.Since(start); err == nil || got != 2*time.Second {
			t.Errorf("Run returned %v after %v, want a StuckError after 2s", err, got)
		}
		time.Sleep(time.Minute)
	})
}

// Nothing is taken from a channel after the stop, also where a chain drops all of it.
func TestFromChannelBehindAFilterAtTheStop(t *testing.T) {
	for range 8 {
		synctest.Test(t, func(t *testing.T) {
			ch := make(chan item, 3*staged)
			for n := range cap(ch) {
				ch <- item{"a", n}
			}
			ctx, cancel := context.WithCancel(t.Context())
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: Via(FromChannel(ch), func(in iter.Seq[item]) iter.Seq[item] {
				return operators.Filter(in, func(i item) bool {
					if i.n == 0 {
						cancel()
						synctest.Wait()
					}
					return false
				})
			})})
			p.Consume(func(context.Context, entry) error { return nil })
			if err := p.Run(ctx); err != nil {
				t.Error(err)
			}
			if want := 2 * staged; len(ch) != want {
				t.Errorf("%d are left in the channel, want %d", len(ch), want)
			}
		})
	}
}
