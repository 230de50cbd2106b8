package governor

import (
	"sync"
	"testing"
	"time"
)

func TestGovernorPassesEachBaseBeats(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms})
	for beat := 1; beat <= 50; beat++ {
		got := g.Beat(at(float64(beat)), 1, 0)
		if want := beat % 10; (got == 1) != (want == 0) {
			t.Errorf("beat %d: %d passes", beat, got)
		}
	}
	if got := g.Beat(at(85), 35, 0); got != 3 {
		t.Errorf("35 beats: %d passes, want 3", got)
	}
}

func TestGovernorFollowsAPullingConsumer(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms})
	for i := range 4 {
		process(g, float64(100*i), 50, true)
		g.idle = false // keep the idle rule out of it
	}
	if got := g.Divisor(); got != 12 {
		t.Errorf("%d after two slow windows, want 12", got)
	}
}

func TestGovernorSamplesOnlyWhatABeatReleased(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Window: 1})
	g.Done(at(50), g.Start(at(0), Release{At: at(0), Queued: true}))
	if got := len(g.Decisions()); got != 0 {
		t.Errorf("%d decisions, want none", got)
	}
}

func TestGovernorReturnsTheOwedPass(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Parallel: 1})
	w := g.Start(at(0), Release{At: at(0), Beat: true})
	if got := g.Beat(at(10), 10, 0); got != 0 {
		t.Fatalf("braked: %d passes, want 0", got)
	}
	if got := g.Done(at(11), w); got != 1 {
		t.Errorf("brake off: %d passes, want 1", got)
	}
}

// Run with -race. In-flight work must come out even, and decisions in order.
func TestGovernorIsSafeForConcurrentUse(t *testing.T) {
	var last time.Time
	g := mustNew(t, true, Options{High: ms, Window: 1, Parallel: 2, MaxReads: 3, Eager: true, OnDecision: func(d Decision) {
		if d.From == d.To && d.Reason == Slower {
			t.Errorf("a change that changes nothing: %+v", d)
		}
		last = d.Time
	}})
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 300 {
				now := at(float64(i))
				g.Beat(now, 1, 9)
				g.Eager(now)
				w := g.Start(now, Release{At: now, Queued: i%2 == 0, Beat: true})
				g.Done(now.Add(time.Duration(worker)*ms), w)
				g.Sleep(now, 1)
				g.Decisions()
				g.Stats(now)
				g.Reads()
				g.Braked(now)
			}
		})
	}
	wg.Wait()
	if got := g.Stats(at(1000)).InFlight; got != 0 {
		t.Errorf("%d in flight, want 0", got)
	}
	if last.IsZero() {
		t.Error("no decision was reported")
	}
}

func TestBraked(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Parallel: 1})
	g.Start(at(0), Release{})
	for now, want := range map[float64]bool{1: false, 5: false, 5.1: true} {
		if got := g.Braked(at(now)); got != want {
			t.Errorf("at %v ms: %v, want %v", now, got, want)
		}
	}
	pulling := mustNew(t, false, Options{High: 10 * ms})
	pulling.Start(at(0), Release{})
	if pulling.Braked(at(1000)) {
		t.Error("a pulling consumer has no brake")
	}
}

func TestPullingDoesNotAllocate(t *testing.T) {
	for _, o := range []Options{
		{High: 10 * ms, Window: 1},
		{High: 20 * ms, MaxReads: 4, Eager: true},
		{High: 10 * ms, Window: 10, Signal: 0.9},
	} {
		o.OnDecision = func(Decision) {}
		testAllocations(t, o)
	}
}

func testAllocations(t *testing.T, o Options) {
	t.Helper()
	g := mustNew(t, false, o)
	now := epoch
	round := func() {
		now = now.Add(10 * ms)
		g.Beat(now, 10, 9)
		g.Eager(now)
		w := g.Start(now, Release{At: now, Queued: o.MaxReads == 0, Beat: true})
		g.Done(now.Add(15*ms), w)
	}
	for range 40 { // the reporter's two slices
		round()
	}
	if got := testing.AllocsPerRun(100, round); got != 0 {
		t.Errorf("%v allocations a round, want 0", got)
	}
}

func BenchmarkBeat(b *testing.B) {
	g := mustNew(b, false, Options{High: 10 * ms})
	now := epoch
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(ms)
		g.Beat(now, 1, 0)
	}
}

func BenchmarkStartDone(b *testing.B) {
	for name, asynchronous := range map[string]bool{"pulling": false, "asynchronous": true} {
		b.Run(name, func(b *testing.B) {
			g := mustNew(b, asynchronous, Options{High: 10 * ms, Parallel: 4})
			now := epoch
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(ms)
				g.Done(now, g.Start(now, Release{At: now, Beat: true}))
			}
		})
	}
}

func BenchmarkSleepAnHour(b *testing.B) {
	g := mustNew(b, false, Options{High: 10 * ms})
	now := epoch
	for b.Loop() {
		g.state.divisor = 200
		g.Done(now, g.Start(now, Release{At: now}))
		now = now.Add(time.Hour)
		g.Sleep(now, uint64(time.Hour/ms))
	}
}
