package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"github.com/rs/zerolog"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// atHand is a source that yields deliveries in one burst.
func atHand[T any](all ...Delivery[T]) Source[T] {
	return func(context.Context) iter.Seq2[Delivery[T], error] {
		return func(yield func(Delivery[T], error) bool) {
			for n, d := range all {
				d.More = n < len(all)-1
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// A key that no map can hold concerns its own value only, wherever in a burst
// that is.
func TestStageUnhashable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		value := func(key any) Delivery[any] { return Delivery[any]{Value: key, Receipt: slip{d, fmt.Sprint(key)}} }
		p, err := New(Config[any, any]{Key: func(v any) any { return v }})
		if err != nil {
			t.Fatal(err)
		}
		p.Produce(Producer[any]{Source: atHand(value("a"), value("b"), value([]int{1}), value("c"))})
		p.Consume(func(_ context.Context, e cache.Entry[any, any]) error { return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		s := p.Stats()
		if r := s.Producers[0]; r.Received != 4 || r.Admitted != 3 || r.Invalid != 1 || s.Ledger.Puts != 3 {
			t.Errorf("producer %+v, %d puts", r, s.Ledger.Puts)
		}
		slices.Sort(d.lines)
		d.check(t, "0s ack [1]", "0s ack a", "0s ack b", "0s ack c")
	})
}

// ill is a receipt that does something when it is acknowledged.
type ill struct {
	slip
	do func()
}

func (s ill) Ack() bool {
	s.slip.Ack()
	s.do()
	return true
}

// brokenOff is a source that says More of all its deliveries.
func brokenOff(source Source[item]) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for d, err := range source(ctx) {
				if d.More = true; !yield(d, err) {
					return
				}
			}
		}
	}
}

// A receipt that panics, or ends the goroutine, fails the source. The other
// values of the burst are in the cache, once, and are settled.
func TestStageReceiptPanics(t *testing.T) {
	for name, do := range map[string]func(){
		"panic": func() { panic("ack") }, "panic, broken off": func() { panic("ack") },
		"exit": runtime.Goexit, "exit, broken off": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				value := func(key string, r Receipt) Delivery[item] { return Delivery[item]{Value: item{key, 1}, Receipt: r} }
				c := Config[string, item]{Metronome: every}
				c.Cache.MaxEntries, c.Cache.Overflow = 3, cache.Reject
				p := mustNew(t, c)
				source := atHand(
					value("a", slip{d, "a"}), value("b", ill{slip{d, "b"}, do}), value("c", ill{slip{d, "c"}, do}),
					value("d", slip{d, "d"}), value("a", slip{d, "a2"}),
				)
				if strings.Contains(name, "broken") {
					source = brokenOff(source)
				}
				p.Produce(Producer[item]{Source: source})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				slices.Sort(d.lines)
				d.check(t, "0s ack a", "0s ack a2", "0s ack b", "0s ack c", "0s nack d")
				s := p.Stats()
				if r := s.Producers[0]; r.Received != 5 || r.Admitted != 4 || r.Rejected != 1 || s.Ledger.Puts != 5 {
					t.Errorf("producer %+v, %d puts", r, s.Ledger.Puts)
				}
				checkBalance(t, p)
			})
		})
	}
}

// The same for one that is held until a newer value takes the place of its own.
func TestStageHeldReceiptPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every})
		p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: atHand(Delivery[item]{Value: item{"b", 1}, Receipt: ill{slip{d, "b1"}, runtime.Goexit}})})
		p.Produce(Producer[item]{Source: script(0, []step{{at: ms}}), OnFailure: CarryOn})
		p.producers[1].Source = func(ctx context.Context) iter.Seq2[Delivery[item], error] {
			wait(ctx, ms)
			return atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 2}}, Delivery[item]{Value: item{"c", 1}})(ctx)
		}
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(t.Context())
		d.check(t, "1ms ack b1")
		if l := p.Stats().Ledger; l.Puts > 4 || l.Puts < 3 {
			t.Errorf("%d puts", l.Puts)
		}
	})
}

// What OnDrop does when a value makes room for itself happens once.
func TestStageOnDropExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drops := 0
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.EvictOldest
		c.Cache.OnDrop = func(entry, cache.Reason) {
			if drops++; drops == 1 {
				runtime.Goexit()
			}
		}
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 1}}, Delivery[item]{Value: item{"c", 1}})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if l := p.Stats().Ledger; l.Puts != 2 || l.Evicted != 1 {
			t.Errorf("%d puts, %d evicted; b is the last that the source yields", l.Puts, l.Evicted)
		}
	})
}

// A callback that ends the goroutine ends the source too. The value in hand is
// settled nevertheless.
func TestStageCallbackExits(t *testing.T) {
	exit := func(i item) {
		if i.key == "b" {
			runtime.Goexit()
		}
	}
	for name, c := range map[string]struct {
		config    Config[string, item]
		onInvalid func(error)
		want      string
	}{
		"Key":       {config: Config[string, item]{Key: func(i item) string { exit(i); return i.key }}, want: "nack"},
		"Op":        {config: Config[string, item]{Op: func(i item) cache.Op { exit(i); return cache.Upsert }}, want: "nack"},
		"OnInvalid": {config: Config[string, item]{Key: func(i item) string { return map[string]string{"a": "a"}[i.key][:1] }}, onInvalid: func(error) { runtime.Goexit() }, want: "ack"},
		"OnDrop": {config: Config[string, item]{Metronome: every, Cache: cache.Options[string, item]{
			MaxEntries: 1, Overflow: cache.Reject, OnDrop: func(e entry, _ cache.Reason) { exit(e.Value) }}}, want: "nack"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, c.config)
				var all []Delivery[item]
				for _, key := range []string{"a", "b", "c"} {
					all = append(all, Delivery[item]{Value: item{key, 1}, Receipt: slip{d, key}})
				}
				p.Produce(Producer[item]{Source: atHand(all...), OnInvalid: c.onInvalid})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				checkBalance(t, p)
				slices.Sort(d.lines)
				want := []string{"0s ack a", "0s " + c.want + " b"}
				if name == "OnDrop" {
					want = append(want, "0s nack c") // it had come before the stage was admitted
				}
				d.check(t, want...)
			})
		})
	}
}

// The rest of a batch is refused when the cache closes while it waits for room.
// Where there are receipts those of what is in the cache do not wait too, and
// what the source still has is left to it; d may be in hand or not.
func TestStageFullUntilClosed(t *testing.T) {
	values := []item{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}}
	for _, merge := range []bool{false, true} {
		for _, receipts := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				c := Config[string, item]{DrainTimeout: 10 * ms}
				c.Cache.MaxEntries = 1
				if merge {
					c.Cache.Merge = cache.Latest[item]
				}
				c.Cache.OnDrop = func(e entry, reason cache.Reason) { d.note("%v %v", reason, e.Value) }
				source := FromBatches(func(context.Context) iter.Seq2[[]item, error] {
					return func(yield func([]item, error) bool) { yield(values, nil) }
				})
				want := []string{"20ms rejected c1", "20ms rejected d1", "20ms rejected e1"}
				if receipts {
					var all []Delivery[item]
					for _, i := range values {
						all = append(all, Delivery[item]{Value: i, Receipt: slip{d, i.key}})
					}
					source = atHand(all...)
					want = []string{"0s ack a", "0s ack b", "20ms nack c"}
				}
				p := mustNew(t, c)
				p.Produce(Producer[item]{Source: source})
				p.Consume(func(ctx context.Context, _ entry) error { <-ctx.Done(); return ctx.Err() })
				_ = p.Run(cancelAt(t, 10*ms))
				if r := p.Stats().Producers[0]; r.Admitted != 2 || r.Rejected != uint64(len(want)) && !receipts {
					t.Errorf("%+v", r)
				}
				checkBalance(t, p)
				if receipts {
					d.lines = slices.DeleteFunc(d.lines, func(s string) bool { return strings.Contains(s, "rejected") || s == "20ms nack d" })
				}
				d.check(t, want...)
			})
		}
	}
}

// Values are staged only where nothing of the user's runs while they are admitted.
func TestStageSingle(t *testing.T) {
	type options = cache.Options[string, item]
	onDrop := func(entry, cache.Reason) {}
	for name, test := range map[string]struct {
		cache options
		other Acknowledge
		meter bool
		want  bool
	}{
		"plain":          {},
		"OnDrop":         {cache: options{OnDrop: onDrop, MaxEntries: 1, Overflow: cache.Reject}},
		"eviction":       {cache: options{MaxEntries: 1, Overflow: cache.EvictOldest}},
		"OnDrop evicted": {cache: options{OnDrop: onDrop, MaxEntries: 1, Overflow: cache.EvictOldest}, want: true},
		"annihilation":   {cache: options{OnDrop: onDrop, Annihilate: true}, want: true},
		"Merge":          {cache: options{Merge: cache.Latest[item]}, want: true},
		"Newer":          {cache: options{Newer: func(_, _ item) bool { return true }}, want: true},
		"SizeOf":         {cache: options{SizeOf: func(string, item) int64 { return 1 }}, want: true},
		"HeadStart":      {cache: options{HeadStart: func(string, item) time.Duration { return 0 }}, want: true},
		"held receipts":  {other: AckOnDone, want: true},
		"quotas":         {meter: true, want: true},
	} {
		p := mustNew(t, Config[string, item]{Cache: test.cache})
		p.Produce(Producer[item]{})
		p.Produce(Producer[item]{Acknowledge: test.other})
		r := newRun(t.Context(), p)
		i := p.producers[0].instances[0]
		if test.meter {
			i.meter = &meter{}
		}
		if got := r.single(i); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		r.cancelAll()
	}
}

// A burst of which only some values have receipts settles these.
func TestStageSomeReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Consume(func(context.Context, entry) error { return nil })
		mustEnd(t, p, atHand(
			Delivery[item]{Value: item{"a", 1}},
			Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}},
			Delivery[item]{Value: item{"c", 1}},
		))
		d.check(t, "0s ack b")
	})
}

// When a stage has been admitted it keeps no value and no receipt alive, nor
// those that never got into it.
func TestStageKeepsNothing(t *testing.T) {
	for _, keys := range [][]string{{"a"}, {"a", "b", "bad"}, {"bad"}} {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Key: func(i item) string {
			if i.key == "bad" {
				panic("key")
			}
			return i.key
		}})
		p.Produce(Producer[item]{})
		r := newRun(t.Context(), p)
		i := p.producers[0].instances[0]
		s := r.newStage(i)
		s.burst.more = true
		for _, key := range keys {
			_ = r.put(i, s, &Delivery[item]{Value: item{key, 1}, Receipt: slip{d, key}})
		}
		r.flush(i, s)
		for n, a := range s.arrivals[:len(keys)] {
			if a != (cache.Arrival[string, item]{}) || s.receipts[:len(keys)][n] != nil {
				t.Errorf("%q: number %d is %+v, %v", keys, n, a, s.receipts[:len(keys)][n])
			}
		}
		r.cancelAll()
	}
}

// A value whose Key ends the goroutine is counted, and logged, as refused.
func TestStageKeyExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := mustNew(t, Config[string, item]{Logger: zerolog.New(&log), Key: func(i item) string {
			if i.key == "b" {
				runtime.Goexit()
			}
			return i.key
		}})
		p.Produce(Producer[item]{Source: atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 1}})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
		if !strings.Contains(log.String(), "value rejected") {
			t.Errorf("logged\n%s", log.String())
		}
	})
}

// While a chain waits in the midst of a batch the stop waits for the rest.
func TestStageRestBehindSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		source := TryVia(FromBatches(func(context.Context) iter.Seq2[[]item, error] {
			return func(yield func([]item, error) bool) { yield(five[:3], nil) }
		}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				for i := range in {
					time.Sleep(10 * ms)
					if !yield(i, nil) {
						return
					}
				}
			}
		})
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: source})
		p.Consume(d.reader(0))
		if err := p.Run(cancelAt(t, 15*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "10ms a1", "20ms b1", "30ms c1")
		if r := p.Stats().Producers[0]; r.Admitted != 3 || r.Rejected != 0 {
			t.Errorf("producer %+v", r)
		}
	})
}

// The time of admission is that of the first of those that were admitted
// together, behind one that was refused.
func TestStageMeasuresAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		p := mustNew(t, c)
		p.Consume(func(context.Context, entry) error { return nil })
		var all []Delivery[item]
		for range 15 {
			all = append(all, Delivery[item]{Value: item{"a", 1}})
		}
		all = append(all, Delivery[item]{Value: item{"b", 1}}, Delivery[item]{Value: item{"a", 2}, At: time.Now().Add(-time.Second)})
		mustEnd(t, p, atHand(all...))
		if h := p.Stats().Admit; h.Count != 2 || h.Sum != time.Second {
			t.Errorf("measured %d, in all %v", h.Count, h.Sum)
		}
	})
}

// OnDrop hears of a value before that is refused.
func TestStageRefusesAfterOnDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		c.Cache.OnDrop = func(e entry, reason cache.Reason) { d.note("%v %v", reason, e.Value) }
		p := mustNew(t, c)
		p.Consume(func(context.Context, entry) error { return nil })
		mustEnd(t, p, atHand(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}}))
		d.check(t, "0s rejected b1", "0s nack b")
	})
}

// What is invalid behind a value whose receipt panics is counted and settled.
func TestStageReceiptPanicsBeforeInvalid(t *testing.T) {
	for _, do := range []func(){func() { panic("ack") }, runtime.Goexit} {
		for _, keyless := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, Config[string, item]{Key: func(i item) string {
					if i.key == "b" {
						panic("key")
					}
					return i.key
				}})
				p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						var err error
						b := item{"b", 1}
						if !keyless {
							err, b.key = ErrInvalid, "c"
						}
						_ = yield(Delivery[item]{Value: item{"a", 1}, Receipt: ill{slip{d, "a"}, do}, More: true}, nil) &&
							yield(Delivery[item]{Value: b, Receipt: slip{d, "b"}}, err)
					}
				}})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				d.check(t, "0s ack a", "0s ack b")
				if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Invalid != 1 {
					t.Errorf("producer %+v", r)
				}
			})
		}
	}
}

// What comes after the stop is refused, whatever a receipt of what was staged does.
func TestStageReceiptPanicsBeforeLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(Delivery[item]{Value: item{"a", 1}, Receipt: ill{slip{d, "a"}, func() { panic("ack") }}, More: true}, nil)
				time.Sleep(20 * ms)
				yield(Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}}, nil)
			}
		}})
		p.Consume(func(context.Context, entry) error { return nil })
		_ = p.Run(cancelAt(t, 10*ms))
		d.check(t, "20ms ack a", "20ms nack b")
		if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}
