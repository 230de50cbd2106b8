package pipeline

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// A key that no map can hold concerns its own value only, wherever in a batch
// that is.
func TestStageUnhashable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := New(Config[any, any]{Key: func(v any) any { return v }})
		if err != nil {
			t.Fatal(err)
		}
		p.Produce(Producer[any]{Source: yielding(Delivery[any]{Batch: []any{"a", "b", []int{1}, "c"}}, Delivery[any]{Value: []int{2}})})
		p.Consume(func(_ context.Context, e cache.Entry[any, any]) error { return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		s := p.Stats()
		if r := s.Producers[0]; r.Received != 5 || r.Admitted != 3 || r.Invalid != 2 || s.Ledger.Puts != 3 {
			t.Errorf("producer %+v, %d puts", r, s.Ledger.Puts)
		}
	})
}

// The rest of a batch is refused when the cache closes while it waits for room.
// Of deliveries with receipts what the source still has is left to it; d may be in
// hand or not.
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
					source = yielding(all...)
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
		want  bool
	}{
		"plain":          {},
		"OnDrop":         {cache: options{OnDrop: onDrop, MaxEntries: 1, Overflow: cache.Reject}},
		"eviction":       {cache: options{MaxEntries: 1, Overflow: cache.EvictOldest}},
		"OnDrop evicted": {cache: options{OnDrop: onDrop, MaxEntries: 1, Overflow: cache.EvictOldest}, want: true},
		"annihilation":   {cache: options{OnDrop: onDrop, Annihilate: true}, want: true},
		"Merge":          {cache: options{Merge: cache.Latest[item]}, want: true},
		"MergeInto":      {cache: options{MergeInto: func(_, _ *item) {}}, want: true},
		"Newer":          {cache: options{Newer: func(_, _ item) bool { return true }}, want: true},
		"SizeOf":         {cache: options{SizeOf: func(string, item) int64 { return 1 }}, want: true},
		"HeadStart":      {cache: options{HeadStart: func(string, item) time.Duration { return 0 }}, want: true},
		"held receipts":  {other: AckOnDone, want: true},
	} {
		p := mustNew(t, Config[string, item]{Cache: test.cache})
		p.Produce(Producer[item]{})
		p.Produce(Producer[item]{Acknowledge: test.other})
		r := newRun(t.Context(), p)
		i := p.producers[0].instances[0]
		want := staged
		if test.want {
			want = 1
		}
		if n, err := r.prepare(i, r.newStage(i), &Delivery[item]{}, items(100)); n != want || err != nil {
			t.Errorf("%s: %d values are staged at once (%v), want %d", name, n, err, want)
		}
		r.cancelAll()
	}
}

// When a delivery has been admitted the stage keeps no value and no receipt alive,
// nor those that never got into it.
func TestStageKeepsNothing(t *testing.T) {
	bad := item{"bad", 1}
	for _, d := range []Delivery[item]{
		{Value: item{"a", 1}}, {Value: bad}, {Batch: items(3)}, {Batch: items(2 * staged)}, {Batch: append(items(3), bad)}, {Batch: []item{bad, bad}},
	} {
		p := mustNew(t, Config[string, item]{
			Key: keyOf,
			Op: func(i item) cache.Op {
				if i == bad {
					panic("op")
				}
				return cache.Upsert
			},
		})
		p.Produce(Producer[item]{})
		r := newRun(t.Context(), p)
		i := p.producers[0].instances[0]
		s := r.newStage(i)
		d.Receipt = slip{newDiary(), "d"}
		r.handle(i, s, &d, nil)
		if s.one[0] != (item{}) || s.share != nil {
			t.Errorf("%+v: it keeps %v, %v", d, s.one[0], s.share)
		}
		for n, a := range s.arrivals[:cap(s.arrivals)] {
			if a != (cache.Arrival[string, item]{}) || s.receipts[n] != nil {
				t.Errorf("%+v: number %d is %+v, %v", d, n, a, s.receipts[n])
			}
		}
		r.cancelAll()
	}
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

// The time of admission is measured once for those that are admitted together, and
// again behind one that was refused if it is time for that.
func TestStageMeasuresAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		p := mustNew(t, c)
		p.Consume(func(context.Context, entry) error { return nil })
		all := append(slices.Repeat([]item{{"a", 1}}, 15), item{"b", 1}, item{"a", 2})
		mustEnd(t, p, yielding(Delivery[item]{Batch: all, At: time.Now().Add(-time.Second)}))
		if h := p.Stats().Admit; h.Count != 2 || h.Sum != 2*time.Second {
			t.Errorf("measured %d, in all %v", h.Count, h.Sum)
		}
	})
}
