package pipeline

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// governed returns a pipeline whose handler is far too slow for its governor.
func governed(t *testing.T) *Pipeline[int, int] {
	p, err := New(Config[int, int]{
		Key:       func(v int) int { return v },
		Metronome: metronome.Options{Interval: time.Millisecond},
		Governor:  governor.Options{High: 20 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	values := make(chan int, 8)
	for v := range cap(values) {
		values <- v
	}
	p.Produce(Producer[int]{Source: FromChannel(values)})
	p.Consume(func(context.Context, cache.Entry[int, int]) error {
		time.Sleep(100 * time.Millisecond)
		return nil
	})
	return p
}

func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := governed(t)
		if o := p.Observe(0); o.Running || len(o.Decisions) != 0 {
			t.Errorf("before Run: running %v, decisions %v", o.Running, o.Decisions)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		time.Sleep(time.Second)
		if !p.Observe(0).Running {
			t.Error("not running after Run was called")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		o := p.Observe(0)
		if o.Running {
			t.Error("running after Run returned")
		}
		var decided uint64
		for _, n := range o.Decided {
			decided += n
		}
		if len(o.Decisions) == 0 || decided != uint64(len(o.Decisions)) {
			t.Errorf("%d decisions, %d counted, want as many, and some", len(o.Decisions), decided)
		}
		if o.Workers != 1 || o.Reads != 1 || o.Interval != time.Millisecond {
			t.Errorf("workers %d, reads %d, interval %v", o.Workers, o.Reads, o.Interval)
		}
		if o.Hottest != nil {
			t.Errorf("hottest keys %v though none were asked for", o.Hottest)
		}
	})
}

// The thresholds are the ones that the governor has: it says so itself.
func TestObserveTellsTheDefaultsOfTheGovernor(t *testing.T) {
	g, err := governor.New(time.Millisecond, false, governor.Options{High: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	work := g.Start(now, governor.Release{At: now, Beat: true, Queued: true})
	g.Done(now.Add(time.Second), work)
	work = g.Start(now, governor.Release{At: now, Beat: true, Queued: true})
	g.Done(now.Add(time.Second), work)
	d := g.Decisions()[0]
	o := governed(t).Observe(0)
	if o.High != d.High || o.Low != d.Low {
		t.Errorf("high %v, low %v, want %v, %v", o.High, o.Low, d.High, d.Low)
	}
	if o.Base != g.Divisor()-1 {
		t.Errorf("base %d, but one step up is %d", o.Base, g.Divisor())
	}
}

func TestObserveCountsDecisions(t *testing.T) {
	p := governed(t)
	for range 3 {
		p.decided.add(governor.Slower)
	}
	p.decided.add(governor.Hold)
	got := p.Observe(0).Decided
	if len(got) != 2 || got[governor.Slower] != 3 || got[governor.Hold] != 1 {
		t.Errorf("decided %v, want 3 slower and 1 hold", got)
	}
}
