package governor

import "testing"

func TestStats(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Base: 10, Max: 11, Window: 1, Parallel: 1})
	process(g, 0, 15, true) // at Max from 15 ms on; braked from 5 to 15 ms
	g.Start(at(16), Release{})
	g.Beat(at(30), 11, 0) // braked from 21 ms on
	got := g.Stats(at(40))
	want := Stats{Divisor: 11, Reads: 1, InFlight: 1, Braked: true, Owed: true, AtMax: 25 * ms, Braking: 29 * ms}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestStatsCountStuckWork(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Parallel: 1})
	lost := g.Start(at(0), Release{})
	g.Done(at(1), g.Start(at(0.5), Release{}))
	if got := g.Stats(at(301)); got.Stuck != 1 || got.InFlight != 1 || got.Braked {
		t.Errorf("got %+v, want 1 stuck of 1 in flight, not braked", got)
	}
	g.Done(at(400), lost)
	if got := g.Stats(at(401)); got.Stuck != 0 || got.InFlight != 0 {
		t.Errorf("got %+v, want nothing in flight", got)
	}
}

func TestStatsStopTheTimeAtMax(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Max: 11, Window: 1})
	process(g, 0, 50, true) // at Max from 50 ms on
	g.Beat(at(52), 1, 0)    // the idle step is due
	if got := g.Stats(at(1000)); got.Divisor != 10 || got.AtMax != 2*ms {
		t.Errorf("divisor %d, %v at Max, want 10 and 2ms", got.Divisor, got.AtMax)
	}
}

// TestStatsWhileTheMetronomeSleeps: nobody calls Beat, but the divisor that a
// reader sees comes back as it would with beats.
func TestStatsWhileTheMetronomeSleeps(t *testing.T) {
	asleep := mustNew(t, false, Options{High: 10 * ms, Max: 13, Window: 1})
	beating := mustNew(t, false, Options{High: 10 * ms, Max: 13, Window: 1})
	for i := range 3 {
		process(asleep, float64(60*i), 50, true)
		process(beating, float64(60*i), 50, true)
		asleep.idle, beating.idle = false, false // keep the idle rule out of the climb
	}
	asleep.markIdle(at(170))
	beating.markIdle(at(170))
	for ms := 170.0; ms < 180; ms++ {
		beating.Beat(at(ms), 1, 0)
		got, want := asleep.Stats(at(ms)), beating.Stats(at(ms))
		if got != want {
			t.Errorf("at %v ms: asleep %+v, beating %+v", ms, got, want)
		}
	}
	if got := asleep.Divisor(); got != 13 {
		t.Errorf("Stats moved the divisor to %d", got)
	}
}

// TestStatsReads: extra reads that nobody uses are gone, though no beat has
// taken the steps yet.
func TestStatsReads(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Reads: 2, MaxReads: 5})
	g.state.reads = 5
	process(g, 0, 1, false)
	for now, want := range map[float64]int{2: 5, 20.9: 5, 21: 4, 61: 2, 1000: 2} {
		if got := g.Stats(at(now)).Reads; got != want {
			t.Errorf("at %v ms: %d reads, want %d", now, got, want)
		}
	}
}
