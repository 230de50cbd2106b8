package governor

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBeatsInOneCallEqualBeatsOneByOne drives two governors through the same
// work. One sees every beat; the other sleeps, or misses beats and catches up.
func TestBeatsInOneCallEqualBeatsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{High: 3 * ms, Parallel: 9, Base: rapid.IntRange(1, 12).Draw(t, "base"), History: 1000}
		o.Reads = rapid.IntRange(1, 3).Draw(t, "reads")
		o.MaxReads = rapid.IntRange(o.Reads, 9).Draw(t, "max reads")
		asynchronous := rapid.Bool().Draw(t, "asynchronous")
		single, whole := mustNew(t, asynchronous, o), mustNew(t, asynchronous, o)
		start := gear{rapid.IntRange(o.Base, 20*o.Base).Draw(t, "divisor"), o.Reads}
		if start.divisor == o.Base {
			start.reads = rapid.IntRange(o.Reads, o.MaxReads).Draw(t, "extra reads")
		}
		single.state.gear, whole.state.gear = start, start
		now := epoch

		work := func(t *rapid.T) {
			for range rapid.IntRange(1, 8).Draw(t, "entries") {
				for _, g := range []*Governor{single, whole} {
					g.Done(now.Add(ms/3), g.Start(now, Release{At: now, Beat: true}))
				}
			}
			now = now.Add(ms / 2)
		}
		quiet := func(t *rapid.T, seen bool) {
			beats, waiting := rapid.Uint64Range(1, 400).Draw(t, "beats"), 0
			if seen {
				waiting = rapid.IntRange(0, 12).Draw(t, "waiting")
			}
			now = now.Add(time.Duration(rapid.IntRange(0, int(ms)).Draw(t, "offset")))
			want := 0
			for range beats {
				now = now.Add(ms)
				want += single.Beat(now, 1, waiting)
			}
			if !seen {
				whole.Sleep(now, beats)
			} else if got := whole.Beat(now, beats, waiting); got != want {
				t.Fatalf("%d beats in one call: %d reads, want %d", beats, got, want)
			}
		}
		work(t) // idle time counts from the end of the first entry
		t.Repeat(map[string]func(*rapid.T){
			"work":  work,
			"sleep": func(t *rapid.T) { quiet(t, false) },
			"miss":  func(t *rapid.T) { quiet(t, true) },
			"": func(t *rapid.T) {
				if !reflect.DeepEqual(single.state, whole.state) || single.phase != whole.phase {
					t.Fatalf("state %+v phase %d, want %+v phase %d", whole.state, whole.phase, single.state, single.phase)
				}
				if !slices.Equal(single.Decisions(), whole.Decisions()) {
					t.Fatalf("decisions %v, want %v", whole.Decisions(), single.Decisions())
				}
				if got, want := whole.Stats(now), single.Stats(now); got != want {
					t.Fatalf("stats %+v, want %+v", got, want)
				}
			},
		})
	})
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func mustNew(t fataler, asynchronous bool, o Options) *Governor {
	t.Helper()
	g, err := New(ms, asynchronous, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// idleAt20 has divisor 20, and nothing in flight since 1 ms.
func idleAt20(t *testing.T) *Governor {
	t.Helper()
	g := mustNew(t, false, Options{High: 10 * ms})
	g.state.divisor = 20
	g.Done(at(1), g.Start(at(0), Release{}))
	return g
}

func TestIdleStepsEachFifthOfTheBasePeriod(t *testing.T) {
	g := idleAt20(t)
	for now, want := range []int{20, 20, 20, 19, 19, 18} {
		g.Beat(at(float64(now)), 1, 0)
		if got := g.Divisor(); got != want {
			t.Errorf("at %d ms: %d, want %d", now, got, want)
		}
	}
	g.Beat(at(1000), 1, 0)
	if got := g.Divisor(); got != 10 {
		t.Errorf("after a second: %d, want Base", got)
	}
}

func TestIdleStepIsTakenBeforeWorkStarts(t *testing.T) {
	g := idleAt20(t)
	w := g.Start(at(3.5), Release{})
	if got := g.Divisor(); got != 19 {
		t.Errorf("%d, want 19: the step at 3 ms was due", got)
	}
	g.Beat(at(100), 1, 0)
	if got := g.Divisor(); got != 19 {
		t.Errorf("%d, want 19: work is in flight", got)
	}
	g.Done(at(100), w)
	g.Beat(at(102), 1, 0)
	if got := g.Divisor(); got != 18 {
		t.Errorf("%d, want 18 after 2 ms of idleness", got)
	}
}

func TestSleepIsCheapHoweverLong(t *testing.T) {
	g := idleAt20(t)
	const beats = 1 << 40
	g.Sleep(epoch.Add(beats*ms/1000), beats) // would take hours one by one
	if got := g.Divisor(); got != 10 {
		t.Errorf("%d, want Base", got)
	}
}

func TestStuckWorkDoesNotKeepFromIdling(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Parallel: 1})
	g.Start(at(0), Release{})
	g.state.divisor = 12
	w := g.Start(at(1), Release{})
	g.Done(at(2), w) // overtakes the first
	for now := 3.0; now < 301; now++ {
		g.Beat(at(now), 1, 0)
	}
	if got := g.Divisor(); got != 12 {
		t.Fatalf("%d, want 12 while the first counts as in flight", got)
	}
	for now := 301.0; now <= 305; now++ {
		g.Beat(at(now), 1, 0)
	}
	if got := g.Divisor(); got != 10 {
		t.Errorf("%d, want 10 after the first was given up", got)
	}
}

func TestBeatIsCountedAfterAStepThatIsDue(t *testing.T) {
	for _, beat := range []float64{3, 3.9} {
		g := idleAt20(t)
		g.phase = 19 // a pass with 19, and one beat over; with 20 none would be
		if got := g.Beat(at(beat), 1, 0); got != 1 || g.phase != 1 {
			t.Errorf("at %v ms: %d passes, phase %d, want 1 and 1", beat, got, g.phase)
		}
	}
	g := idleAt20(t)
	g.phase = 19
	if got := g.Beat(at(2.9), 1, 0); got != 1 || g.phase != 0 {
		t.Errorf("before the step: %d passes, phase %d, want 1 and 0", got, g.phase)
	}
}

func TestRuleIdles(t *testing.T) {
	r := readsRule(true)
	full := samples{}.add(ms, true)
	tests := []struct {
		name   string
		from   gear
		want   gear
		reason Reason
		period time.Duration
	}{
		{"slow", gear{12, 1}, gear{11, 1}, Idle, 2 * ms},
		{"normal", gear{10, 1}, gear{10, 1}, 0, 20 * ms},
		{"extra reads", gear{10, 3}, gear{10, 2}, Idle, 20 * ms},
	}
	for _, tt := range tests {
		before := ruleState{gear: tt.from, samples: full, room: 2, backlog: true}
		if got := r.idlePeriod(before); got != tt.period {
			t.Errorf("%s: idle for %v, want %v", tt.name, got, tt.period)
		}
		s, v := r.idle(before, at(7))
		want := ruleState{gear: tt.want, backlog: true}
		if tt.reason != 0 {
			want.changed = at(7)
		}
		if !reflect.DeepEqual(s, want) || v != (verdict{reason: tt.reason}) {
			t.Errorf("%s: %+v %v, want %+v %v", tt.name, s, v.reason, want, tt.reason)
		}
		if got, want := r.idles(ruleState{gear: tt.from}), tt.reason != 0; got != want {
			t.Errorf("%s: idles %v, want %v", tt.name, got, want)
		}
	}
	if !r.idles(ruleState{gear: gear{10, 1}, samples: full}) || !r.idles(ruleState{gear: gear{10, 1}, room: 1}) {
		t.Error("idles must report samples and room to be emptied")
	}
	if got := testRule(true).idlePeriod(ruleState{gear: gear{10, 1}}); got != 2*ms {
		t.Errorf("without MaxReads: idle for %v, want 2ms", got)
	}
}

// The consumer is idle between two passes because of the pace. That takes no
// extra read away; a whole pass without an entry does, with one period more.
func TestReadsOutlastThePauseBetweenPasses(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, MaxReads: 4})
	g.state.reads = 4
	now := 0.0
	for range 5 {
		now += 10
		if got := g.Beat(at(now), 10, 9); got != 4 {
			t.Fatalf("at %v ms: %d reads, want 4", now, got)
		}
		g.Done(at(now+0.1), g.Start(at(now), Release{}))
	}
	for beat := range 100 {
		now++
		g.Beat(at(now), 1, 0)
		if got, want := g.Reads(), max(1, 4-(beat+1-1)/20); got != want {
			t.Errorf("%d ms idle: %d reads, want %d", beat+1, got, want)
		}
	}
}
