package pipeline

import (
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
