package pipeline

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
)

// tornSlip is a receipt that panics when it is refused.
type tornSlip struct{ slip }

func (tornSlip) Nack() bool { panic("nack") }

// What comes after the stop and is refused is counted: all values of a batch, one if
// it is invalid, and also if its receipt panics.
func TestLateIsCounted(t *testing.T) {
	for name, c := range map[string]struct {
		late func(d *diary) Delivery[item]
		err  error
		want uint64
	}{
		"batch":   {late: func(d *diary) Delivery[item] { return Delivery[item]{Batch: items(5), Receipt: slip{d, "late"}} }, want: 5},
		"empty":   {late: func(d *diary) Delivery[item] { return Delivery[item]{Batch: items(0), Receipt: slip{d, "late"}} }},
		"invalid": {late: func(d *diary) Delivery[item] { return Delivery[item]{Batch: items(5), Receipt: slip{d, "late"}} }, err: ErrInvalid, want: 1},
		"panic":   {late: func(d *diary) Delivery[item] { return Delivery[item]{Receipt: tornSlip{slip{d, "late"}}} }, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, Config[string, item]{})
				p.Produce(Producer[item]{Source: func(ctx context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						<-ctx.Done()
						yield(c.late(d), c.err)
					}
				}})
				p.Consume(func(context.Context, entry) error { return nil })
				_ = p.Run(cancelAt(t, 10*ms))
				if r := p.Stats().Producers[0]; r.Received != c.want || r.Rejected != c.want {
					t.Errorf("%+v, want %d", r, c.want)
				}
				if name != "panic" {
					d.check(t, "10ms nack late")
				}
			})
		})
	}
}

// An invalid value is reported before it is acknowledged.
func TestInvalidIsReportedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{
			Source: func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					yield(Delivery[item]{Receipt: slip{d, "bad"}}, ErrInvalid)
				}
			},
			OnInvalid: func(err error) { d.note("%v", err) },
		})
		p.Consume(func(context.Context, entry) error { return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.check(t, "0s pipeline: invalid value", "0s ack bad")
	})
}
