package pipeline

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// A receipt is settled once, as soon as the fate of its value is known.
func TestProducerReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var invalid []string
		c := Config[string, item]{Metronome: every, Key: func(i item) string {
			if i.key == "key" {
				panic("no key")
			}
			return i.key
		}}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		c.Cache.Merge = func(_, i item) item {
			if i.n == 13 {
				panic("no merge")
			}
			return i
		}
		p := mustNew(t, c)
		p.Produce(Producer[item]{
			Name: "feed",
			Source: script(15*ms, []step{
				{at: 1 * ms, item: item{"a", 1}, receipt: slip{d, "inserted"}},
				{at: 2 * ms, item: item{"a", 2}, receipt: slip{d, "merged"}},
				{at: 3 * ms, item: item{"b", 1}, receipt: slip{d, "no room"}},
				{at: 4 * ms, item: item{"key", 1}, receipt: slip{d, "key panics"}},
				{at: 5 * ms, item: item{"a", 13}, receipt: slip{d, "merge panics"}},
				{at: 6 * ms, err: fmt.Errorf("%w: not a number", ErrInvalid), receipt: slip{d, "invalid"}},
			}),
			OnInvalid: func(err error) {
				invalid = append(invalid, err.Error())
				panic("OnInvalid")
			},
		})
		p.Consume(d.reader(0))
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.check(t, "1ms ack inserted", "2ms ack merged", "3ms nack no room",
			"4ms ack key panics", "5ms ack merge panics", "6ms ack invalid", "10ms a2")
		if got, want := p.Stats().Producers[0], (ProducerStats{Name: "feed", Received: 6, Admitted: 2, Rejected: 1, Invalid: 3}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		want := []string{
			"pipeline: invalid value: panic: no key",
			"pipeline: invalid value: panic: no merge",
			"pipeline: invalid value: not a number",
		}
		if !slices.Equal(invalid, want) {
			t.Errorf("OnInvalid got %q, want %q", invalid, want)
		}
		checkBalance(t, p)
	})
}

// A stale value is out of date, not refused.
func TestProducerStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Cache.Newer = func(waiting, arriving item) bool { return arriving.n > waiting.n }
		p := mustRun(t, c, script(15*ms, at(ms, item{"a", 2}), []step{{at: 2 * ms, item: item{"a", 1}, receipt: slip{d, "stale"}}}), d.reader(0))
		d.check(t, "2ms ack stale", "10ms a2")
		if s := p.Stats(); s.Producers[0].Admitted != 2 || s.Ledger.Stale != 1 {
			t.Errorf("admitted %d, stale %d", s.Producers[0].Admitted, s.Ledger.Stale)
		}
	})
}

// A panic in OnDrop does not touch the value that made room for itself.
func TestProducerEvicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.EvictOldest
		c.Cache.OnDrop = func(e entry, r cache.Reason) {
			d.note("%v %v", e.Value, r)
			panic("drop")
		}
		p := mustRun(t, c, script(15*ms, at(ms, item{"a", 1}), []step{{at: 2 * ms, item: item{"b", 1}, receipt: slip{d, "b"}}}), d.reader(0))
		d.check(t, "2ms a1 evicted", "2ms ack b", "10ms b1")
		if r := p.Stats().Producers[0]; r.Admitted != 2 || r.Invalid != 0 {
			t.Errorf("producer %+v", r)
		}
	})
}

// A producer is told to stop between two values, and those that yield nothing
// but invalid values are too.
func TestProducerOfInvalidStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps []step
		for n := range 1000 {
			steps = append(steps, step{at: time.Duration(n) * ms, err: ErrInvalid})
		}
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(forever, steps)})
		p.Consume(newDiary().reader(0))
		if err := p.Run(cancelAt(t, 10*ms+1)); err != nil {
			t.Error(err)
		}
		if r := p.Stats().Producers[0]; r.Invalid != 11 || r.Rejected > 1 {
			t.Errorf("producer %+v", r)
		}
		checkBalance(t, p)
	})
}

// The first value of sixteen is measured on its way in.
func TestProducerMeasuresAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Config[string, item]
		c.Cache.MaxEntries = 1
		var many []item
		for n := range 33 {
			many = append(many, item{fmt.Sprint(n), 0})
		}
		p := mustRun(t, c, script(0, at(0, many...)), newDiary().reader(ms))
		// Value 1 is read at once. Values 17 and 33 wait for room, 1 ms each.
		if h := p.Stats().Admit; h.Count != 3 || h.Sum != 2*ms {
			t.Errorf("measured %d, in all %v", h.Count, h.Sum)
		}
	})
}

func TestProducerPanicIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Source: nil})
		r := newRun(t.Context(), p)
		defer r.cancelTakes()
		defer r.cancelHandlers()
		defer r.cancelSources()
		err := r.produce(p.producers[0].instances[0]) // calls a nil Source, which Run would refuse
		var panicked *PanicError
		if !errors.As(err, &panicked) {
			t.Errorf("got %v", err)
		}
	})
}

// A value without a receipt that comes after the stop goes in, if the cache is
// still open, or is skipped if it is invalid.
func TestProduceLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.MaxEntries = 1
		p := mustNew(t, c)
		// The cache stays open as long as c1 waits for room.
		p.Produce(Producer[item]{Name: "first", Source: script(forever, at(0, five[:3]...))})
		p.Produce(Producer[item]{Name: "late", Source: script(forever, at(15*ms, item{"b", 2}), at(16*ms, item{"b", 3}))})
		p.Produce(Producer[item]{Name: "receipt", Source: script(forever, []step{{at: 15 * ms, item: item{"b", 4}, receipt: slip{d, "b4"}}})})
		p.Produce(Producer[item]{Name: "invalid", Source: script(forever, []step{{at: 15 * ms, err: ErrInvalid}})})
		p.Consume(d.reader(20 * ms))
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		d.check(t, "0s a1", "20ms b2", "40ms c1", "60ms nack b4", "60ms end <nil>")
		for i, want := range []ProducerStats{
			{Name: "first", Received: 3, Admitted: 3}, {Name: "late", Received: 1, Admitted: 1},
			{Name: "receipt", Received: 1, Rejected: 1}, {Name: "invalid", Received: 1, Invalid: 1},
		} {
			if got := p.Stats().Producers[i]; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
		checkBalance(t, p)
	})
}

// After the cache is closed it is rejected, and the run ends all the same.
func TestProduceTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.OnDrop = func(e entry, r cache.Reason) { d.note("%v %v", e.Value, r) }
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: script(forever, at(0, five[0]), at(15*ms, five[1]))})
		p.Consume(d.reader(20 * ms))
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		d.check(t, "0s a1", "15ms b1 rejected", "20ms end <nil>")
		checkBalance(t, p)
	})
}

// OnDrop hears of what found no room, with all there is to know of it.
func TestProduceRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []entry
		var reasons []cache.Reason
		c := Config[string, item]{Metronome: every, Op: func(item) cache.Op { return cache.Insert }}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		c.Cache.OnDrop = func(e entry, r cache.Reason) {
			got, reasons = append(got, e), append(reasons, r)
			panic("drop")
		}
		p := mustRun(t, c, yielding(
			Delivery[item]{Value: five[0]},
			Delivery[item]{Value: five[1], Sequence: 7, At: start.Add(-ms)},
		), newDiary().reader(0))
		if len(got) != 1 || reasons[0] != cache.Rejected {
			t.Fatalf("OnDrop got %+v, %v", got, reasons)
		}
		if e := got[0]; e.Key != "b" || e.Value != five[1] || e.Op != cache.Insert || e.First != 7 || e.Last != 7 || !e.Taken.Equal(start.Add(-ms)) {
			t.Errorf("got %+v", e)
		}
		if r := p.Stats().Producers[0]; r.Rejected != 1 || r.Admitted != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

// A key that no map can hold is the fault of one value.
func TestProduceUnusableKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var invalid, done []string
		p, err := New(Config[any, any]{Key: func(v any) any { return v }})
		if err != nil {
			t.Fatal(err)
		}
		p.Produce(Producer[any]{
			Source:    FromSeq(slices.Values([]any{1, []int{2}, math.NaN(), "three", map[int]int{}})),
			OnInvalid: func(err error) { invalid = append(invalid, plainly.Replace(err.Error())) },
		})
		p.Consume(func(_ handling, e cache.Entry[any, any]) error {
			done = append(done, fmt.Sprint(e.Value))
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		if want := []string{"1", "three"}; !slices.Equal(done, want) {
			t.Errorf("done %q, want %q", done, want)
		}
		want := []string{
			"pipeline: invalid value: panic: hash of unhashable type []int",
			"pipeline: invalid value: cache: key is not equal to itself",
			"pipeline: invalid value: panic: hash of unhashable type map[int]int",
		}
		if !slices.Equal(invalid, want) {
			t.Errorf("invalid\n\t%q\nwant\n\t%q", invalid, want)
		}
		if err := p.Stats().Ledger.Check(); err != nil {
			t.Error(err)
		}
	})
}

// plainly levels the two texts that the runtime has for an unhashable key.
var plainly = strings.NewReplacer("runtime error: ", "", "type: ", "type ")
