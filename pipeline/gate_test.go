package pipeline

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// putIn adds one release.
func putIn(g *gate, r governor.Release) {
	g.add(1, func(int) governor.Release { return r })
}

func TestGateReleases(t *testing.T) {
	g := newGate(2)
	g.add(3, func(i int) governor.Release { return governor.Release{Queued: i == 0} })
	if got := g.unspent(); got != 2 {
		t.Errorf("%d releases unspent, want 2", got)
	}
	var r governor.Release
	if through, err := g.wait(t.Context(), &r); through != paced || err != nil || !r.Queued {
		t.Errorf("wait returned %v, %v, %+v", through, err, r)
	}
	if !g.tryWait(&r) || r.Queued {
		t.Errorf("tryWait did not get the second release, but %+v", r)
	}
	if g.tryWait(&r) {
		t.Error("tryWait got through without a release")
	}
}

// A worker that was woken by the first of several releases finds the others.
func TestGateReleasesTogether(t *testing.T) {
	g := newGate(2)
	woken, found := make(chan bool), make(chan bool, 2)
	go func() {
		<-woken
		var r governor.Release
		found <- g.tryWait(&r)
		found <- g.tryWait(&r)
	}()
	g.add(2, func(i int) governor.Release {
		if i == 1 { // the first is in
			woken <- true
			for range 100 {
				runtime.Gosched() // give the worker a chance to be too early
			}
		}
		return governor.Release{}
	})
	for i := range 2 {
		if !<-found {
			t.Errorf("release %d was missed", i)
		}
	}
}

func TestGateOverdue(t *testing.T) {
	g := newGate(1)
	g.addOverdue()
	g.addOverdue() // one is enough
	var r governor.Release
	if through, err := g.wait(t.Context(), &r); through != overdue || err != nil {
		t.Errorf("wait returned %v, %v", through, err)
	}
	if len(g.overdue) != 0 {
		t.Error("two workers were let through")
	}
}

func TestGateOpens(t *testing.T) {
	g := newGate(1)
	putIn(g, governor.Release{Queued: true}) // of no use any more
	g.open()
	g.open()
	var r governor.Release
	if through, err := g.wait(t.Context(), &r); through != open || err != nil || r.Queued {
		t.Errorf("wait returned %v, %v, %+v", through, err, r)
	}
	if !g.tryWait(&r) || r.Queued {
		t.Errorf("tryWait returned %+v", r)
	}
}

// A worker whose context has ended gets nothing, whatever else it could have.
func TestGateCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := newGate(1)
	putIn(g, governor.Release{})
	g.open()
	var r governor.Release
	for range 100 {
		if _, err := g.wait(ctx, &r); err != context.Canceled {
			t.Fatalf("wait returned %v", err)
		}
	}
}

func TestGateNil(t *testing.T) {
	var g *gate
	g.open()
	var r governor.Release
	if through, err := g.wait(t.Context(), &r); through != open || err != nil || !g.tryWait(&r) {
		t.Errorf("wait returned %v, %v", through, err)
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
