package governor

import "testing"

func readsRule(asynchronous bool) rule {
	r := testRule(asynchronous)
	r.maxReads = 4
	return r
}

// The whole ladder down and up again: reads go first and come last.
func TestLadder(t *testing.T) {
	r := readsRule(true)
	r.max = 12
	s := ruleState{gear: gear{10, 3}}
	steps := []struct {
		reason, want Reason
		gear         gear
	}{
		{MoreReads, MoreReads, gear{10, 4}},
		{MoreReads, AtMaxReads, gear{10, 4}},
		{Faster, AtBase, gear{10, 4}},
		{FewerReads, FewerReads, gear{10, 3}},
		{Idle, Idle, gear{10, 2}},
		{FewerReads, FewerReads, gear{10, 1}},
		{Slower, Slower, gear{11, 1}},
		{Slower, Slower, gear{12, 1}},
		{Slower, AtMax, gear{12, 1}},
		{Hold, Hold, gear{12, 1}},
		{NoQueue, NoQueue, gear{12, 1}},
		{Idle, Idle, gear{11, 1}},
		{Faster, Faster, gear{10, 1}},
		{Faster, AtBase, gear{10, 1}},
		{MoreReads, MoreReads, gear{10, 2}},
	}
	for i, step := range steps {
		from, changed := s.gear, s.changed
		s.room = 1
		var got Reason
		s, got = r.shift(s, step.reason, at(float64(i+1)))
		if s.gear != step.gear || got != step.want {
			t.Fatalf("step %d, %v: %v %v, want %v %v", i, step.reason, s.gear, got, step.gear, step.want)
		}
		moved := s.gear != from
		if moved != s.changed.Equal(at(float64(i+1))) || !moved && s.changed != changed {
			t.Errorf("step %d: changed at %v, moved %v", i, s.changed, moved)
		}
		if moved != (s.room == 0) {
			t.Errorf("step %d: room %d, moved %v", i, s.room, moved)
		}
	}
}

func TestTowardsNormalEndsThere(t *testing.T) {
	r := readsRule(true)
	r.reads = 2
	for from, want := range map[gear]gear{{12, 2}: {11, 2}, {10, 2}: {10, 2}, {10, 3}: {10, 2}} {
		if got := r.towardsNormal(from); got != want {
			t.Errorf("from %v to %v, want %v", from, got, want)
		}
	}
}

func TestNormalGearKeepsTheReadsAskedFor(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Reads: 3, Max: 11, Window: 1})
	if g.Divisor() != 10 || g.Reads() != 3 {
		t.Errorf("divisor %d, %d reads, want 10 and 3", g.Divisor(), g.Reads())
	}
	process(g, 0, 50, true)
	if g.Divisor() != 11 || g.Reads() != 3 {
		t.Errorf("slower: divisor %d, %d reads, want 11 and 3", g.Divisor(), g.Reads())
	}
	g.Beat(at(100), 100, 50)
	if g.Divisor() != 10 || g.Reads() != 3 {
		t.Errorf("idle: divisor %d, %d reads, want 10 and 3", g.Divisor(), g.Reads())
	}
}
