package governor

import (
	"slices"
	"testing"
)

// Windows of two samples, High 10 ms, Low 4 ms, from 1 to 4 reads.
func TestRuleReads(t *testing.T) {
	const pulling, async = false, true
	tests := []struct {
		name         string
		asynchronous bool
		from         gear
		backlog      bool
		room         int
		latency      float64 // of both samples, milliseconds
		queued       [2]bool
		want         gear
		reason       Reason
	}{
		{"pulling, up to high", pulling, gear{10, 1}, true, 0, 10, [2]bool{}, gear{10, 2}, MoreReads},
		{"pulling, one queued", pulling, gear{10, 2}, true, 0, 1, [2]bool{true}, gear{10, 2}, Hold},
		{"pulling, nothing left waiting", pulling, gear{10, 2}, false, 0, 1, [2]bool{}, gear{10, 2}, AtBase},
		{"pulling, above base", pulling, gear{11, 1}, true, 0, 1, [2]bool{}, gear{10, 1}, Faster},
		{"pulling, not enough samples yet", pulling, gear{10, 3}, true, 0, 1, [2]bool{}, gear{10, 3}, AtBase},
		{"pulling, enough samples now", pulling, gear{10, 3}, true, 2, 1, [2]bool{}, gear{10, 4}, MoreReads},
		{"pulling, at the top", pulling, gear{10, 4}, true, 4, 1, [2]bool{}, gear{10, 4}, AtMaxReads},
		{"pulling, high and queued", pulling, gear{10, 3}, true, 3, 11, [2]bool{true, true}, gear{10, 2}, FewerReads},
		{"pulling, high, none queued", pulling, gear{10, 2}, true, 2, 11, [2]bool{}, gear{10, 1}, FewerReads},
		{"pulling, high, normal reads", pulling, gear{10, 1}, true, 1, 11, [2]bool{}, gear{10, 1}, AtBase},
		{"pulling, no extra reads left", pulling, gear{10, 1}, true, 1, 11, [2]bool{true, true}, gear{11, 1}, Slower},
		{"asynchronous, low though queued", async, gear{10, 2}, true, 0, 3, [2]bool{true, true}, gear{10, 3}, MoreReads},
		{"asynchronous, at low", async, gear{10, 2}, true, 2, 4, [2]bool{true, true}, gear{10, 2}, Hold},
		{"asynchronous, at low, none queued", async, gear{10, 2}, true, 2, 4, [2]bool{}, gear{10, 2}, AtBase},
		{"asynchronous, nothing left waiting", async, gear{10, 2}, false, 0, 3, [2]bool{true, true}, gear{10, 2}, AtBase},
		{"asynchronous, not enough samples yet", async, gear{10, 3}, true, 0, 3, [2]bool{}, gear{10, 3}, AtBase},
		{"asynchronous, exactly high", async, gear{10, 3}, true, 0, 10, [2]bool{true, true}, gear{10, 3}, Hold},
		{"asynchronous, high and queued", async, gear{10, 4}, true, 0, 11, [2]bool{true, true}, gear{10, 3}, FewerReads},
		{"asynchronous, high, none queued", async, gear{10, 4}, false, 0, 11, [2]bool{}, gear{10, 3}, FewerReads},
		{"asynchronous, high, normal reads", async, gear{10, 1}, false, 0, 11, [2]bool{}, gear{10, 1}, NoQueue},
		{"asynchronous, above base", async, gear{11, 1}, true, 0, 3, [2]bool{}, gear{10, 1}, Faster},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readsRule(tt.asynchronous)
			s := ruleState{gear: tt.from, backlog: tt.backlog, room: tt.room}
			s, _ = r.finish(s, finish{at(100), at(100 + tt.latency), tt.queued[0]})
			s, v := r.finish(s, finish{at(100), at(100 + tt.latency), tt.queued[1]})
			if s.gear != tt.want || v.reason != tt.reason {
				t.Errorf("%v %v, want %v %v", s.gear, v.reason, tt.want, tt.reason)
			}
		})
	}
}

// A window that is not low, or a pass that finds too little, starts the count of
// low samples afresh.
func TestRuleNeedsLowSamplesInARow(t *testing.T) {
	window := func(r rule, s ruleState, latency float64) (ruleState, Reason) {
		s, _ = r.finish(s, finish{at(100), at(100 + latency), true})
		s, v := r.finish(s, finish{at(100), at(100 + latency), true})
		return s, v.reason
	}
	r := readsRule(true)
	s := ruleState{gear: gear{10, 3}, backlog: true}
	s, _ = window(r, s, 1)
	s, _ = window(r, s, 7)
	if s, got := window(r, s, 1); got != AtBase || s.room != 2 {
		t.Errorf("after a window that was not low: %v, room %d, want at base, 2", got, s.room)
	}
	s = ruleState{gear: gear{10, 3}, backlog: true}
	s, _ = window(r, s, 1)
	s, _ = r.pass(s, 3, false)
	s, _ = r.pass(s, 4, false)
	if s, got := window(r, s, 1); got != AtBase || s.room != 2 {
		t.Errorf("after a pass that read all: %v, room %d, want at base, 2", got, s.room)
	}
	s = ruleState{gear: gear{10, 4}, backlog: true, room: 3}
	if s, got := window(r, s, 1); got != AtMaxReads || s.room != 4 {
		t.Errorf("at the top: %v, room %d, want at max reads, 4", got, s.room)
	}
	r.maxReads = r.reads
	s = ruleState{gear: gear{10, 1}, backlog: true}
	if s, got := window(r, s, 1); got != AtBase || s.room != 0 {
		t.Errorf("without MaxReads: %v, room %d, want at base, 0", got, s.room)
	}
}

func TestRulePasses(t *testing.T) {
	tests := []struct {
		waiting   int
		full      bool
		backlog   bool
		reads     int
		roomAfter int
	}{
		{4, false, true, 3, 2},
		{3, false, false, 3, 0},
		{0, false, false, 3, 0},
		{9, true, false, 1, 0},
	}
	r := readsRule(true)
	for _, tt := range tests {
		s, reads := r.pass(ruleState{gear: gear{10, 3}, room: 2, backlog: !tt.backlog}, tt.waiting, tt.full)
		if s.backlog != tt.backlog || reads != tt.reads || s.room != tt.roomAfter {
			t.Errorf("%d waiting, full %v: backlog %v, %d reads, room %d, want %+v", tt.waiting, tt.full, s.backlog, reads, s.room, tt)
		}
	}
}

// Entries always wait, and each takes 1 ms: the reads climb to the top. Then
// each takes 50 ms: they are gone before the divisor rises.
func TestGovernorReadsMoreAndFewer(t *testing.T) {
	for _, asynchronous := range []bool{false, true} {
		g := mustNew(t, asynchronous, Options{High: 10 * ms, MaxReads: 3, Parallel: 3, Max: 12})
		now, latency := 0.0, 1.0
		for pass := range 9 {
			if pass >= 4 {
				latency = 50
			}
			reads := g.Beat(at(now+10), 10, 5)
			now += 10
			var all []Work
			for i := range reads {
				all = append(all, g.Start(at(now), Release{At: at(now), Queued: latency > 10, Beat: true}))
				if i == reads-1 && reads == 1 { // a window has two
					all = append(all, g.Start(at(now), Release{At: at(now), Queued: latency > 10, Beat: true}))
				}
			}
			for _, w := range all {
				g.Done(at(now+latency), w)
			}
			now += latency
			g.idle = false // keep the idle rule out of it
		}
		var got []int
		for _, d := range g.Decisions() {
			if d.ReadsFrom != d.ReadsTo || d.From != d.To {
				got = append(got, d.To*10+d.ReadsTo)
			}
		}
		if want := []int{102, 103, 102, 101, 111, 121}; !slices.Equal(got, want) {
			t.Errorf("asynchronous %v: gears %v, want %v\n%v", asynchronous, got, want, reasonsOf(g.Decisions()))
		}
	}
}

// An asynchronous consumer that has not finished what it was given is not given
// more than the normal reads.
func TestExtraReadsAreNotForAFullConsumer(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Reads: 2, MaxReads: 4, Parallel: 2})
	g.state.reads = 4
	first := g.Start(at(0), Release{})
	if got := g.Beat(at(1), 10, 9); got != 4 {
		t.Errorf("one of two in flight: %d reads, want 4", got)
	}
	g.Start(at(1), Release{})
	if got := g.Beat(at(2), 20, 9); got != 4 {
		t.Errorf("two passes with two of two in flight: %d reads, want 4", got)
	}
	g.Done(at(2), first)
	if got := g.Beat(at(3), 10, 9); got != 4 {
		t.Errorf("one of two in flight again: %d reads, want 4", got)
	}
}
