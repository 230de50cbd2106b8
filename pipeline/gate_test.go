package pipeline

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

func TestGateReleases(t *testing.T) {
	g := newGate(2)
	g.add(governor.Release{Queued: true})
	g.add(governor.Release{})
	if got := g.unspent(); got != 2 {
		t.Errorf("%d releases unspent, want 2", got)
	}
	for _, queued := range []bool{true, false} {
		r, open, err := g.wait(t.Context())
		if r.Queued != queued || open || err != nil {
			t.Errorf("wait returned %+v, %v, %v", r, open, err)
		}
	}
	if got := g.unspent(); got != 0 {
		t.Errorf("%d releases unspent, want 0", got)
	}
}

func TestGateOpens(t *testing.T) {
	g := newGate(1)
	g.open()
	if _, open, err := g.wait(t.Context()); !open || err != nil {
		t.Errorf("wait returned %v, %v", open, err)
	}
}

// A worker whose context has ended gets nothing, whatever else it could have.
func TestGateCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := newGate(1)
	g.add(governor.Release{})
	g.open()
	for range 100 {
		if _, open, err := g.wait(ctx); open || err != context.Canceled {
			t.Fatalf("wait returned %v, %v", open, err)
		}
	}
}

func TestGateNil(t *testing.T) {
	var g *gate
	g.open()
	if _, open, err := g.wait(t.Context()); !open || err != nil {
		t.Errorf("wait returned %v, %v", open, err)
	}
}

// TestDrainDoesNotSteer: a drain has no pace, so what waits in it for a worker
// says nothing about the pace.
func TestDrainDoesNotSteer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{
			Metronome: metronome.Options{Interval: ms},
			Governor:  governor.Options{High: 20 * ms, Base: 2},
		})
		var atStop, atEnd int
		p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				for i := range 100 {
					yield(Delivery[item]{Value: item{fmt.Sprint(i), i}}, nil)
				}
				time.Sleep(300 * ms)
				atStop = p.Stats().Divisor
			}
		}})
		p.Consume(func(context.Context, cache.Entry[string, item]) error {
			time.Sleep(30 * ms)
			atEnd = p.Stats().Divisor
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if atStop <= 2 || atEnd > atStop+1 { // one read was released before the stop
			t.Errorf("divisor %d at the stop, %d at the end of the drain", atStop, atEnd)
		}
	})
}
