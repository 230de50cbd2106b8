package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

// A delivery in whose midst a chain leaves its input is refused if the chain then fails,
// and acknowledged if it ends or goes on.
func TestChainFailsBehindADelivery(t *testing.T) {
	first := func(in iter.Seq[item]) {
		for range in {
			break
		}
	}
	for name, c := range map[string]struct {
		chain func(in iter.Seq[item], yield func(item, error) bool)
		want  []string
	}{
		"ends":    {func(in iter.Seq[item], _ func(item, error) bool) { first(in) }, []string{"0s ack a"}},
		"goes on": {func(in iter.Seq[item], yield func(item, error) bool) { first(in); first(in); yield(item{}, errBoom) }, []string{"0s ack a", "0s nack b"}},
		"error":   {func(in iter.Seq[item], yield func(item, error) bool) { first(in); yield(item{}, errBoom) }, []string{"0s nack a"}},
		"invalid": {func(in iter.Seq[item], yield func(item, error) bool) { first(in); yield(item{}, ErrInvalid) }, []string{"0s ack a"}},
		"panic":   {func(in iter.Seq[item], _ func(item, error) bool) { first(in); panic("chain") }, []string{"0s nack a"}},
		"pulls and panics": {func(in iter.Seq[item], _ func(item, error) bool) {
			next, stop := iter.Pull(in)
			defer stop()
			next()
			panic("chain")
		}, []string{"0s nack a"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				deliveries := []Delivery[item]{{Value: item{"a", 1}, Receipt: slip{d, "a"}}, {Batch: items(3), Receipt: slip{d, "b"}}}
				source := func(context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						dl := deliveries[0]
						deliveries = deliveries[1:]
						yield(dl, nil)
					}
				}
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: TryVia(source, func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
					return func(yield func(item, error) bool) { c.chain(in, yield) }
				})})
				p.Consume(func(context.Context, entry) error { return nil })
				_ = p.Run(t.Context())
				d.check(t, c.want...)
			})
		})
	}
}

// What is left of a batch is counted as rejected if a step ends the source in its midst.
func TestStepFailsInABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: TryVia(yielding(Delivery[item]{Batch: items(10)}), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
			return operators.TryMap(in, func(i item) (item, error) {
				if i.n == 4 {
					return i, errBoom
				}
				return i, nil
			})
		})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if r := p.Stats().Producers[0]; r.Admitted != 3 || r.Rejected != 6 {
			t.Errorf("of 10, the fourth fails: %+v", r)
		}
	})
}

// All that steps make of the last value of a batch goes in, though a stop comes first.
func TestStopAmidTheLastOfABatch(t *testing.T) {
	for _, receipt := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d, delivery, want := newDiary(), Delivery[item]{Batch: items(2)}, []string(nil)
			if receipt {
				delivery.Receipt, want = slip{d, "x"}, []string{"1.2s ack x"}
			}
			p := mustStop(t, TryVia(thenWaits(delivery), func(_ context.Context, in iter.Seq[item]) iter.Seq2[item, error] {
				return operators.TryMap(times(3)(in), func(i item) (item, error) { time.Sleep(200 * ms); return i, nil })
			}), 200*ms)
			if r := p.Stats().Producers[0]; r.Admitted != 6 {
				t.Errorf("of 6: %+v", r)
			}
			d.check(t, want...)
		})
	}
}
