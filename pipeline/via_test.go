package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

// copies makes as many values of an item as its number says.
func copies(i item) iter.Seq[item] {
	return func(yield func(item) bool) {
		for n := range i.n {
			if !yield(item{fmt.Sprint(i.key, n), i.n}) {
				return
			}
		}
	}
}

// copying is the chain of one operator that does.
func copying(in iter.Seq[item]) iter.Seq[item] { return operators.FlatMap(in, copies) }

func TestViaReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.MaxEntries = 1
		steps := []step{
			{item: item{"none", 0}, receipt: slip{d, "none"}},
			{item: item{"one", 1}, receipt: slip{d, "one"}},
			{item: item{"three", 3}, receipt: slip{d, "three"}},
			{item: item{"null", 0}, receipt: slip{d, "null"}},
			{item: item{"plain", 1}},
			{err: fmt.Errorf("bad: %w", ErrInvalid), receipt: slip{d, "bad"}},
		}
		p := mustRun(t, c, Via(script(0, steps), copying), func(_ handling, e entry) error {
			time.Sleep(10*ms + time.Nanosecond)
			return nil
		})
		// One is read at once. Of three the first waits, the others wait for room.
		d.check(t, "0s ack none", "0s ack one", "20.000002ms ack three", "20.000002ms ack null", "30.000003ms ack bad")
		if r := p.Stats().Producers[0]; r.Received != 6 || r.Admitted != 5 || r.Invalid != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

// A delivery of which one part is refused is refused, when all are settled.
func TestViaRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.MaxEntries, c.Cache.Overflow = 2, 1
		c.Metronome = every
		p := mustRun(t, c, Via(script(20*ms, []step{
			{item: item{"a", 3}, receipt: slip{d, "a"}},
			{at: 25 * ms, item: item{"b", 1}, receipt: slip{d, "b"}},
		}), copying), d.reader(0))
		d.check(t, "0s nack a", "10ms a03", "20ms a13", "25ms ack b", "25ms b01")
		if r := p.Stats().Producers[0]; r.Received != 4 || r.Admitted != 3 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

// An error of the source comes out behind the chain. The chain never sees it.
func TestViaSourceError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Source: Via(script(0, []step{
			{item: item{"a", 1}, receipt: slip{d, "a"}},
			{at: ms, err: errBoom, receipt: slip{d, "error"}},
		}), copying)})
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(t.Context())
		if err == nil || err.Error() != `pipeline: producer "feed": boom` || !errors.Is(err, errBoom) {
			t.Errorf("got %v", err)
		}
		d.check(t, "0s ack a", "1ms nack error")
		checkBalance(t, p)
	})
}

// A chain that has had enough ends its producer. The last value is settled.
func TestViaChainEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		source := Via(script(0, []step{
			{item: item{"a", 1}, receipt: slip{d, "a"}},
			{at: ms, item: item{"b", 1}, receipt: slip{d, "b"}},
		}), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range in {
					yield(i)
					return
				}
			}
		})
		mustRun(t, Config[string, item]{}, source, func(handling, entry) error { return nil })
		d.check(t, "0s ack a")
	})
}

// On a stop the value in hand is parked inside the chain, and refused.
func TestViaParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: Via(script(forever, []step{
			{item: item{"a", 1}, receipt: slip{d, "a"}},
			{at: 15 * ms, item: item{"b", 3}, receipt: slip{d, "b"}},
		}), copying)})
		p.Consume(d.reader(50 * ms))
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		slices.Sort(d.lines[:2])
		d.check(t, "0s a01", "0s ack a", "50ms nack b", "50ms end <nil>")
		checkBalance(t, p)
	})
}

// TryVia takes the errors of a step: an invalid value is passed over, any other
// error ends the producer.
func TestTryViaErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		source := TryVia(script(0, []step{
			{item: item{"a", 1}, receipt: slip{d, "a"}},
			{item: item{"invalid", 1}, receipt: slip{d, "invalid"}},
			{item: item{"b", 1}, receipt: slip{d, "b"}},
			{item: item{"fatal", 1}, receipt: slip{d, "fatal"}},
			{item: item{"c", 1}, receipt: slip{d, "c"}},
		}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return operators.TryMap(in, func(i item) (item, error) {
				switch i.key {
				case "invalid":
					return i, fmt.Errorf("bad: %w", ErrInvalid)
				case "fatal":
					return i, errBoom
				}
				return i, nil
			})
		})
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Source: source})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(t.Context()); !errors.Is(err, errBoom) {
			t.Errorf("got %v", err)
		}
		d.check(t, "0s ack a", "0s ack invalid", "0s ack b", "0s nack fatal")
		if r := p.Stats().Producers[0]; r != (ProducerStats{Name: "feed", Received: 3, Admitted: 2, Invalid: 1, Failures: 1}) {
			t.Errorf("producer %+v", r)
		}
		checkBalance(t, p)
	})
}

// doubling calls f for four values at a time.
func doubling(ctx context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
	return operators.Parallel(ctx, in, 4, func(ctx context.Context, i item) (item, error) {
		select {
		case <-time.After(7 * ms):
		case <-ctx.Done():
			return i, ctx.Err()
		}
		i.n *= 2
		return i, nil
	})
}

func TestTryViaParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checkConcurrent(t, doubling)
	})
}

// checkConcurrent runs a chain that doubles before a cache that is always full.
func checkConcurrent(t *testing.T, chain func(context.Context, iter.Seq[item]) iter.Seq2[item, error]) {
	t.Helper()
	var c Config[string, item]
	c.Cache.MaxEntries = 1
	var got []string
	steps := append(at(0, five...), step{err: fmt.Errorf("bad: %w", ErrInvalid)})
	p := mustRun(t, c, TryVia(script(0, steps, at(0, five...)), chain), func(_ handling, e entry) error {
		got = append(got, e.Value.String())
		time.Sleep(10 * ms)
		return nil
	})
	if want := []string{"a2", "b2", "c2", "d2", "e2", "a2", "b2", "c2", "d2", "e2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r := p.Stats().Producers[0]; r.Received != 11 || r.Admitted != 10 || r.Invalid != 1 {
		t.Errorf("producer %+v", r)
	}
}

func TestTryViaParallelStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps []step
		for n := range 1000 {
			steps = append(steps, at(time.Duration(n)*ms, five...)...)
		}
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: TryVia(script(forever, steps), doubling)})
		p.Consume(func(handling, entry) error { time.Sleep(3 * ms); return nil })
		if err := p.Run(cancelAt(t, 100*ms)); err != nil {
			t.Error(err)
		}
		checkBalance(t, p)
	})
}

// An error of the source comes out behind a chain whose steps can fail, too.
func TestTryViaSourceError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: TryVia(script(0, []step{{err: errBoom}}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for i := range in {
					if !yield(i, nil) {
						return
					}
				}
			}
		})})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(t.Context()); !errors.Is(err, errBoom) {
			t.Errorf("got %v", err)
		}
	})
}

// A chain that makes values without end of one delivery is told of, and ends behind
// the run. The values are counted.
func TestViaEndless(t *testing.T) {
	for _, receipt := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			delivery := Delivery[item]{Value: item{"a", 1}}
			if receipt {
				delivery.Receipt = slip{d, "a"}
			}
			p := mustNew(t, Config[string, item]{DrainTimeout: time.Second, Grace: time.Second + ms/2})
			p.Produce(Producer[item]{Source: Via(yielding(delivery), func(in iter.Seq[item]) iter.Seq[item] {
				return func(yield func(item) bool) {
					for i := range in {
						for yield(i) {
							time.Sleep(ms)
						}
					}
				}
			})})
			p.Consume(func(handling, entry) error { return nil })
			err := p.Run(cancelAt(t, 10*ms))
			if _, ok := errors.AsType[*StuckError](err); !ok {
				t.Errorf("Run returned %v", err)
			}
			time.Sleep(ms)
			synctest.Wait()
			if r := p.Stats().Producers[0]; r.Received < 2000 || r.Admitted+r.Rejected != r.Received {
				t.Errorf("in two seconds %+v", r)
			}
			if receipt {
				d.check(t, "2.011s nack a")
			}
		})
	}
}
