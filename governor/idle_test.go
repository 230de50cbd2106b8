package governor

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBeatsInOneCallEqualBeatsOneByOne drives two governors through the same
// work. One sees every beat; the other sleeps, or misses beats and catches up.
func TestBeatsInOneCallEqualBeatsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{High: 3 * ms, Parallel: 1, Base: rapid.IntRange(1, 12).Draw(t, "base"), History: 1000}
		asynchronous := rapid.Bool().Draw(t, "asynchronous")
		single, whole := mustNew(t, asynchronous, o), mustNew(t, asynchronous, o)
		divisor := rapid.IntRange(o.Base, 20*o.Base).Draw(t, "divisor")
		single.state.divisor, whole.state.divisor = divisor, divisor
		now := epoch

		work := func(*rapid.T) {
			for _, g := range []*Governor{single, whole} {
				g.Done(now.Add(ms/3), g.Start(now, Release{At: now, Beat: true}))
			}
			now = now.Add(ms / 2)
		}
		quiet := func(t *rapid.T, seen bool) {
			beats := rapid.Uint64Range(1, 400).Draw(t, "beats")
			now = now.Add(time.Duration(rapid.IntRange(0, int(ms)).Draw(t, "offset")))
			want := 0
			for range beats {
				now = now.Add(ms)
				want += single.Beat(now, 1)
			}
			if !seen {
				whole.Sleep(now, beats)
			} else if got := whole.Beat(now, beats); got != want {
				t.Fatalf("%d beats in one call: %d passes, want %d", beats, got, want)
			}
		}
		work(t) // idle time counts from the end of the first entry
		t.Repeat(map[string]func(*rapid.T){
			"work":  work,
			"sleep": func(t *rapid.T) { quiet(t, false) },
			"miss":  func(t *rapid.T) { quiet(t, true) },
			"": func(t *rapid.T) {
				if single.state != whole.state || single.phase != whole.phase {
					t.Fatalf("state %+v phase %d, want %+v phase %d", whole.state, whole.phase, single.state, single.phase)
				}
				if !slices.Equal(single.Decisions(), whole.Decisions()) {
					t.Fatal("the decisions differ")
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
		g.Beat(at(float64(now)), 1)
		if got := g.Divisor(); got != want {
			t.Errorf("at %d ms: %d, want %d", now, got, want)
		}
	}
	g.Beat(at(1000), 1)
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
	g.Beat(at(100), 1)
	if got := g.Divisor(); got != 19 {
		t.Errorf("%d, want 19: work is in flight", got)
	}
	g.Done(at(100), w)
	g.Beat(at(102), 1)
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
		g.Beat(at(now), 1)
	}
	if got := g.Divisor(); got != 12 {
		t.Fatalf("%d, want 12 while the first counts as in flight", got)
	}
	for now := 301.0; now <= 305; now++ {
		g.Beat(at(now), 1)
	}
	if got := g.Divisor(); got != 10 {
		t.Errorf("%d, want 10 after the first was given up", got)
	}
}

func TestBeatIsCountedAfterAStepThatIsDue(t *testing.T) {
	for _, beat := range []float64{3, 3.9} {
		g := idleAt20(t)
		g.phase = 19 // a pass with 19, and one beat over; with 20 none would be
		if got := g.Beat(at(beat), 1); got != 1 || g.phase != 1 {
			t.Errorf("at %v ms: %d passes, phase %d, want 1 and 1", beat, got, g.phase)
		}
	}
	g := idleAt20(t)
	g.phase = 19
	if got := g.Beat(at(2.9), 1); got != 1 || g.phase != 0 {
		t.Errorf("before the step: %d passes, phase %d, want 1 and 0", got, g.phase)
	}
}
