package governor

import (
	"testing"
	"time"
)

// testBrake holds above 50 ms, gives up after 3 s, probes after 1 s.
func testBrake(parallel int) *brake {
	return newBrake(ms, Options{High: 100 * ms, Brake: 50 * ms, Max: 200, Parallel: parallel})
}

func TestBrakeLooksAtTheParallelthOldest(t *testing.T) {
	b := testBrake(2)
	b.start(at(0))
	if b.on(at(1000)) {
		t.Error("one in flight of two: on")
	}
	b.start(at(1000))
	for now, want := range map[float64]bool{1000: false, 1050: false, 1050.1: true} {
		if got := b.on(at(now)); got != want {
			t.Errorf("at %v ms: %v, want %v", now, got, want)
		}
	}
}

func TestBrakeOwesOnePassAtMost(t *testing.T) {
	b := testBrake(1)
	first := b.start(at(0))
	for _, now := range []float64{60, 70, 80} {
		if got, _ := b.pass(at(now), 1, 1); got != 0 {
			t.Fatalf("at %v ms: %d passes, want 0", now, got)
		}
	}
	if got := b.done(at(90), first); got != 1 {
		t.Errorf("the brake came off: %d passes, want the one owed", got)
	}
	if got, _ := b.pass(at(100), 2, 1); got != 2 {
		t.Errorf("brake off: %d passes, want 2", got)
	}
	second := b.start(at(100))
	if got := b.done(at(200), second); got != 0 {
		t.Errorf("nothing owed: %d passes, want 0", got)
	}
}

func TestBrakeStaysOnWhileTheNextIsOldToo(t *testing.T) {
	b := testBrake(1)
	first, second := b.start(at(0)), b.start(at(10))
	b.pass(at(55), 1, 1)
	if got := b.done(at(100), first); got != 0 {
		t.Errorf("the next is 90 ms old: %d passes, want 0", got)
	}
	if got := b.done(at(120), second); got != 1 {
		t.Errorf("nothing in flight: %d passes, want 1", got)
	}
}

func TestBrakeComesOffWithTime(t *testing.T) {
	b := testBrake(1)
	b.start(at(0))
	b.done(at(20), b.start(at(10))) // overtakes
	b.pass(at(60), 1, 1)
	if got, _ := b.pass(at(3000), 0, 1); got != 1 {
		t.Fatalf("at 3 s: %d passes, want a probe", got)
	}
	b.owed = 1
	if got, probe := b.pass(at(3001), 0, 1); got != 1 || probe || b.stuck != 1 {
		t.Errorf("past 3 s: %d passes, probe %v, %d stuck; want the owed pass and 1 stuck", got, probe, b.stuck)
	}
}

func TestBrakeGivesUpOnlyWhatIsOldAndOvertaken(t *testing.T) {
	b := testBrake(1)
	old := b.start(at(0))
	if !b.on(at(10000)) {
		t.Error("old, not overtaken: given up")
	}
	b.done(at(10000), b.start(at(9000)))
	if b.on(at(10000)) || b.stuck != 1 {
		t.Error("old and overtaken: still braking")
	}
	b.done(at(11000), old)
	if b.stuck != 0 {
		t.Errorf("%d stuck after the end, want 0", b.stuck)
	}
}

func TestBrakeProbes(t *testing.T) {
	b := testBrake(1)
	b.start(at(0))
	var probes []float64
	for now := 10.0; now <= 60000; now += 10 {
		if passes, probe := b.pass(at(now), 1, 1); probe {
			probes = append(probes, now)
		} else if passes != 0 && now > 50 {
			t.Fatalf("at %v ms: %d passes", now, passes)
		}
	}
	// On at 50 ms; the waits are 1, 2, 4, 8, 16 and again 16 s.
	want := []float64{1050, 3050, 7050, 15050, 31050, 47050}
	if len(probes) != len(want) {
		t.Fatalf("probes at %v, want %v", probes, want)
	}
	for i := range want {
		if probes[i] != want[i] {
			t.Errorf("probe %d at %v ms, want %v", i, probes[i], want[i])
		}
	}
}

func TestBrakeProbesAnewAfterComingOff(t *testing.T) {
	b := testBrake(1)
	first := b.start(at(0))
	b.pass(at(1050), 1, 1)
	b.done(at(1100), first)
	b.start(at(2000))
	b.pass(at(2060), 1, 1)
	if _, probe := b.pass(at(3049), 1, 1); probe {
		t.Error("probe before 1 s")
	}
	if _, probe := b.pass(at(3050), 1, 1); !probe {
		t.Error("no probe after 1 s")
	}
}

// A consumer that lost all that it was given, the first probes included, must
// come back to life through a later probe.
func TestBrakeOutlivesTotalLoss(t *testing.T) {
	b := testBrake(1)
	b.start(at(0))
	through := 0
	for now := 10.0; now <= 30000; now += 10 {
		passes, _ := b.pass(at(now), 1, 1)
		for range passes {
			f := b.start(at(now))
			if now > 5000 { // the consumer works again
				b.done(at(now+1), f)
				through++
			}
		}
	}
	if through < 1000 {
		t.Errorf("%d entries processed, want most of 2500", through)
	}
}

func TestBrakeMeasuresItsTime(t *testing.T) {
	b := testBrake(1)
	f := b.start(at(0))
	b.done(at(80), f) // on from 50 to 80, noticed at its end only
	b.start(at(100))
	b.on(at(170)) // on since 150
	if got, want := b.held.total(at(170)), 50*ms; got != want {
		t.Errorf("braked for %v, want %v", got, want)
	}
	if got, want := b.probed, at(150); !got.Equal(want) {
		t.Errorf("the wait for a probe starts at %v, want %v", got.Sub(time.Unix(0, 0)), want.Sub(epoch))
	}
}

func TestBrakeRemembersTheNewestThatEnded(t *testing.T) {
	b := testBrake(1)
	first := b.start(at(0))
	b.start(at(1)) // lost
	b.done(at(3), b.start(at(2)))
	b.done(at(4), first)
	if b.on(at(4000)); b.stuck != 1 {
		t.Errorf("%d stuck, want 1: a later one ended, though not last", b.stuck)
	}
}

// Missed beats make several passes, but one is owed: all of its reads, or those
// that a pass still has by then.
func TestBrakeOwesTheReadsOfOnePass(t *testing.T) {
	b := testBrake(1)
	f := b.start(at(0))
	b.pass(at(60), 3, 3)
	b.pass(at(70), 9, 3)
	if b.pass(at(80), 0, 3); b.owed != 3 {
		t.Errorf("%d owed, want 3", b.owed)
	}
	if b.pass(at(85), 0, 2); b.owed != 2 {
		t.Errorf("%d owed after a pass has only 2 reads, want 2", b.owed)
	}
	if got := b.done(at(90), f); got != 2 {
		t.Errorf("the brake came off: %d reads, want 2", got)
	}
}

func TestBrakeProbesWithOneEntry(t *testing.T) {
	b := testBrake(1)
	b.start(at(0))
	if got, probe := b.pass(at(1050), 8, 8); got != 1 || !probe || b.owed != 0 {
		t.Errorf("%d reads, probe %v, %d owed, want a probe with 1 and none owed", got, probe, b.owed)
	}
}
