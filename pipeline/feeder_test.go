package pipeline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

// What comes out of a chain has the time of arrival and the sequence number of
// what went in; at the end of the source, none.
func TestViaStamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		source := Via(yielding(
			Delivery[item]{Value: item{"a", 2}, At: start.Add(-time.Second), Sequence: 5},
			Delivery[item]{Value: item{"b", 1}, Sequence: 6, Receipt: slip{newDiary(), "b"}},
			Delivery[item]{Value: item{"c", 1}, Sequence: 7},
		), func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				for i := range copying(in) {
					if !yield(i) {
						return
					}
				}
				yield(item{"end", 0})
			}
		})
		var got []string
		for d, err := range source(t.Context()) {
			got = append(got, fmt.Sprint(d.Value, d.At.Sub(start), d.At.IsZero(), d.Sequence, d.Receipt != nil, err))
			if d.Receipt != nil {
				d.Receipt.Ack()
			}
		}
		want := []string{"a02 -1s false 5 false <nil>", "a12 -1s false 5 false <nil>", "b01 0s false 6 true <nil>", "c01 0s false 7 false <nil>",
			fmt.Sprint("end0 ", time.Time{}.Sub(start), " true 0 false <nil>")}
		if !slices.Equal(got, want) {
			t.Errorf("got\n\t%q\nwant\n\t%q", got, want)
		}
	})
}

// A panic in the chain fails the producer, and refuses the delivery.
func TestViaChainPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Source: Via(script(0, []step{
			{item: item{"a", 1}, receipt: slip{d, "a"}},
			{item: item{"b", 1}, receipt: slip{d, "b"}},
		}), func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Tap(in, func(i item) {
				if i.key == "b" {
					panic("chain")
				}
			})
		})})
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(t.Context())
		if err == nil || err.Error() != `pipeline: producer "feed": panic: chain` {
			t.Errorf("got %v", err)
		}
		d.check(t, "0s ack a", "0s nack b")
		checkBalance(t, p)
	})
}

// Nothing of a delivery is left for the next one, which brings less, nor for
// what comes out at the end.
func TestViaLeavesNothing(t *testing.T) {
	for _, receipt := range []Receipt{nil, slip{newDiary(), "a"}} {
		full := Delivery[item]{Value: item{"a", 1}, At: time.Now(), Sequence: 5, Receipt: receipt}
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				_ = yield(full, nil) && yield(Delivery[item]{Value: item{"b", 1}}, nil) && yield(full, nil)
			}
		}
		n := 0
		for d := range Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return func(yield func(item) bool) {
				in(yield)
				yield(item{"end", 1})
			}
		})(t.Context()) {
			n++
			full := n == 1 || n == 3
			if d.Sequence == 5 != full || (d.Receipt != nil) != (full && receipt != nil) || n == 4 && !d.At.IsZero() {
				t.Errorf("number %d: %+v", n, d)
			}
		}
	}
}

// A chain that goes on after the region has had enough yields nothing more.
func TestViaOver(t *testing.T) {
	for name, c := range map[string]struct {
		d   Delivery[item]
		err error
	}{"invalid": {err: ErrInvalid}, "failed": {err: errBoom}} {
		t.Run(name, func(t *testing.T) {
			source := func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) { yield(c.d, c.err) }
			}
			n := 0
			for range Via(source, func(in iter.Seq[item]) iter.Seq[item] {
				return func(yield func(item) bool) {
					in(yield)
					in(yield)
					yield(item{"end", 1})
				}
			})(t.Context()) {
				n++
				break
			}
			if n != 1 {
				t.Errorf("%d values", n)
			}
		})
	}
}

// A feeder keeps nothing alive while its source waits, save for a time.
func TestFeederKeepsNothing(t *testing.T) {
	var f *feeder[item, item]
	f = newFeeder(t.Context(), func(context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for _, d := range []Delivery[item]{{Value: item{"a", 1}}, {Batch: items(100)}} {
				for _, d.Receipt = range []Receipt{nil, slip{newDiary(), "a"}} {
					yield(d, nil)
					if f.out.Value != (item{}) || f.out.Batch != nil || f.out.Receipt != nil || d.Receipt != nil && f.share != nil {
						t.Errorf("it keeps %+v, %v", f.out, f.share)
					}
					for _, i := range f.batch[:cap(f.batch)] {
						if i != (item{}) {
							t.Errorf("it keeps %v", i)
						}
					}
				}
			}
		}
	}, false, func(Delivery[item], error) bool { return true })
	for i := range f.feed {
		f.emit(i, nil)
	}
}
