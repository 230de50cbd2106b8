package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

func TestOptionsLeaveOut(t *testing.T) {
	o := options{base: 10}
	if c := o.cache(); c.HeadStart != nil || c.MaxAge != 0 {
		t.Errorf("cache %+v, want no head start and no age", c)
	}
	if g := o.governor(func(governor.Decision) {}); g.Enabled() || g.Base != 0 || g.OnDecision != nil {
		t.Errorf("governor %+v, want none: a pipeline refuses one without High", g)
	}
	o.high = time.Second
	if g := o.governor(nil); !g.Enabled() || g.High != time.Second || g.Base != 10 {
		t.Errorf("governor %+v, want High and Base of the flags", g)
	}
}

func TestMaxAgeReadsWhateverThePace(t *testing.T) {
	const flags = "-max-age 300ms -slowdown 1 -interval 500us -workers 4"
	watch(t, flags, func(t *testing.T, p *program, s summary) {
		if s.Overdue < 100 {
			t.Errorf("%d overdue, want many: 200 symbols at 200 reads/s wait a second", s.Overdue)
		}
		if s.WaitP99 > 400 {
			t.Errorf("wait p99 %v ms, want not much more than 300 ms", s.WaitP99)
		}
	})
}

func TestLimitFindsTheCapacity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const flags = "-duration 60s -rate 3000 -consume 200ms -slowdown 1 -capacity 32 -workers 64 -interval 0 -high 0 -json"
		p := start(t.Context(), strings.Fields(flags+" -limit gradient2")...)
		s := p.mustPass(t)
		if s.Limit < 32 || s.Limit > 42 || s.InFlight > s.Limit {
			t.Errorf("limit %d and %d in flight, want a little more than the capacity of 32", s.Limit, s.InFlight)
		}
		if s.LastOut < 0.95*160 || s.LastServiceP99 > 280 {
			t.Errorf("%v reads/s with p99 %v ms, want nearly 160, and little more than 200 ms", s.LastOut, s.LastServiceP99)
		}
		if !strings.Contains(p.stdout.String(), "in flight") {
			t.Errorf("no limit in\n%s", &p.stdout)
		}
	})
}

func TestFixedLimit(t *testing.T) {
	watch(t, "-limit 3 -workers 8 -consume 10ms -slowdown 1 -interval 0 -high 0", func(t *testing.T, p *program, s summary) {
		if s.Limit != 3 || s.InFlight > 3 || s.LastOut < 285 || s.LastOut > 305 {
			t.Errorf("limit %d, %d in flight and %v reads/s, want 3, up to 3 and 300", s.Limit, s.InFlight, s.LastOut)
		}
	})
}

func TestCapacitySlowsDown(t *testing.T) {
	watch(t, "-workers 8 -capacity 2 -consume 10ms -slowdown 1 -interval 0 -high 0", func(t *testing.T, p *program, s summary) {
		if s.LastOut < 190 || s.LastOut > 210 || s.ServiceP99 < 40 {
			t.Errorf("%v reads/s of %v ms, want 200 of 40 ms: 8 share 2 places", s.LastOut, s.ServiceP99)
		}
	})
}
