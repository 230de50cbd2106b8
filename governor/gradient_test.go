package governor

import (
	"math"
	"testing"
	"time"
)

// replayGradient replays through the core as the reference has it: without
// checks, and with an RTT of 0 as it is. Doubles are compared exactly.
func replayGradient(t *testing.T, tr trace) int {
	g := newGradient(tr.gradient2(t))
	g.leastRTT = 0
	for i, row := range tr.rows {
		got := g.Observe(Sample{RTT: row.rtt, InFlight: row.inFlight, Dropped: row.dropped})
		if got != row.limit || g.estimate != row.estimate || g.baseline.value != row.long {
			t.Fatalf("row %d: limit %d, estimate %v, long RTT %v; want %d, %v, %v", i+1,
				got, g.estimate, g.baseline.value, row.limit, row.estimate, row.long)
		}
	}
	return len(tr.rows)
}

func TestGradientReplaysTheReference(t *testing.T) {
	replayAll(t, reference(t, "g*.csv"), replayGradient)
}

func TestGradientReplaysItsOwnTraces(t *testing.T) {
	replayAll(t, files(t, own, "g*.csv"), replayGradient)
}

// The published type gives the same limits. Three of the traces have a
// configuration that it refuses, and one has a smoothing of 0, which it takes
// for the default.
func TestGradient2ReplaysTheReference(t *testing.T) {
	refused := map[string]string{
		"g13_clamp_initial_above_max": "Gradient2.Initial",
		"g14_clamp_initial_below_min": "Gradient2.Initial",
		"g16_min_gt_max":              "Gradient2.Max",
	}
	replayAll(t, reference(t, "g*.csv"), func(t *testing.T, tr trace) int {
		o := tr.gradient2(t)
		scenario := tr.params["scenario"]
		if field := refused[scenario]; field != "" {
			wantInvalid(t, &o, field)
			return 0
		}
		if o.Smoothing == 0 {
			return 0
		}
		a := start(t, &o)
		for i, row := range tr.rows {
			if got := a.Observe(Sample{RTT: row.rtt, InFlight: row.inFlight}); got != row.limit {
				t.Fatalf("row %d: limit %d, want %d", i+1, got, row.limit)
			}
		}
		return len(tr.rows)
	})
}

func start(t testing.TB, l Limit) Algorithm {
	t.Helper()
	a, err := l.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// An RTT of 0 or less counts as 1 ns, so that nothing ever is not a number.
func TestGradientOfAnRTTOfZero(t *testing.T) {
	for _, rtt := range []time.Duration{0, -time.Hour, math.MinInt64} {
		g := start(t, &Gradient2{}).(*gradient)
		for i := range 20 {
			if got, want := g.Observe(Sample{RTT: rtt, InFlight: 100}), int(20+0.8*float64(i+1)+1e-9); got != want {
				t.Fatalf("RTT %v, sample %d: limit %d, want %d", rtt, i+1, got, want)
			}
		}
		if r := g.Reading(); r.LongRTT != 1 || r.Gradient != 1 || r.Window.RTT != 1 {
			t.Errorf("RTT %v: %+v", rtt, r)
		}
	}
}

func TestGradientIsAppLimited(t *testing.T) {
	g := start(t, &Gradient2{}).(*gradient)
	for range 3 {
		g.Observe(Sample{RTT: ms, InFlight: 9})
	}
	if g.estimate != 20 || g.Reading().AppLimited != 3 {
		t.Errorf("estimate %v, app-limited %d; want 20, 3", g.estimate, g.Reading().AppLimited)
	}
	if g.Observe(Sample{RTT: ms, InFlight: 10}); g.estimate != 20.8 || g.Reading().AppLimited != 3 {
		t.Errorf("estimate %v, app-limited %d; want 20.8, 3", g.estimate, g.Reading().AppLimited)
	}
}

// A drop is an RTT like any other, unless asked for.
func TestGradientBacksOffFromADrop(t *testing.T) {
	for _, test := range []struct {
		backoff  bool
		inFlight int
		want     float64
	}{
		{false, 20, 20.8},
		{true, 20, 20*0.8 + (10+4)*0.2},
		{true, 9, 20},
	} {
		g := start(t, &Gradient2{DropBackoff: test.backoff}).(*gradient)
		g.Observe(Sample{RTT: ms, InFlight: test.inFlight, Dropped: true})
		if math.Abs(g.estimate-test.want) > 1e-12 {
			t.Errorf("backoff %v, %d in flight: estimate %v, want %v", test.backoff, test.inFlight, g.estimate, test.want)
		}
	}
}

func TestGradientDoesNotLearnAnIncident(t *testing.T) {
	g := start(t, &Gradient2{MaxHealthyRTT: 15 * ms}).(*gradient)
	feed := func(rtt time.Duration, n int) {
		for range n {
			g.Observe(Sample{RTT: rtt, InFlight: g.Limit()})
		}
	}
	feed(15*ms, 20)
	if got := g.Reading().LongRTT; got != 15*ms {
		t.Fatalf("baseline %v, want 15ms: the bound itself is healthy", got)
	}
	feed(15*ms+1, 1)
	if got := g.Reading().LongRTT; got != 15*ms {
		t.Errorf("baseline %v, want 15ms", got)
	}
	feed(60*ms, 2000)
	if r := g.Reading(); r.LongRTT != 15*ms || r.Gradient != 0.5 || g.Limit() != 8 {
		t.Errorf("limit %d, %+v; want 8, baseline 15ms, gradient 0.5", g.Limit(), r)
	}
}

// Without a single healthy sample there is no baseline, and the limit falls.
func TestGradientKnowsNoHealthyRTT(t *testing.T) {
	g := start(t, &Gradient2{MaxHealthyRTT: ms}).(*gradient)
	for range 200 {
		g.Observe(Sample{RTT: time.Second, InFlight: g.Limit()})
	}
	if r := g.Reading(); g.Limit() != 8 || r.LongRTT != 0 || r.State != ToLoad {
		t.Errorf("limit %d, %+v", g.Limit(), r)
	}
}

func TestGradientTakesANegativeQueueForNone(t *testing.T) {
	g := start(t, &Gradient2{QueueFunc: func(int) int { return -100 }}).(*gradient)
	g.Observe(Sample{RTT: ms, InFlight: 20})
	if g.estimate != 20 {
		t.Errorf("estimate %v, want 20", g.estimate)
	}
}

// The queue is that of the limit, which is rounded down.
func TestGradientAsksTheQueueFunction(t *testing.T) {
	var asked []int
	g := start(t, &Gradient2{QueueFunc: func(limit int) int { asked = append(asked, limit); return 4 }}).(*gradient)
	g.Observe(Sample{RTT: ms, InFlight: 20})
	g.Observe(Sample{RTT: ms, InFlight: 20}) // of 20.8
	if len(asked) != 2 || asked[0] != 20 || asked[1] != 20 {
		t.Errorf("asked for %v, want [20 20]", asked)
	}
}

func TestGradientReading(t *testing.T) {
	g := start(t, &Gradient2{}).(*gradient)
	if r := g.Reading(); r != (Reading{}) {
		t.Errorf("before the first sample: %+v", r)
	}
	g.Observe(Sample{At: time.Hour, RTT: 10 * ms, InFlight: 20})
	g.Observe(Sample{At: 2 * time.Hour, RTT: 30 * ms, InFlight: 12, Dropped: true})
	got := g.Reading()
	want := Reading{
		LongRTT: 20 * ms, Gradient: 20.0 / 30, State: ToLoad,
		Window: Window{End: 2 * time.Hour, RTT: 30 * ms, InFlight: 12, Dropped: true, Samples: 1},
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func BenchmarkGradient2(b *testing.B) {
	a := start(b, &Gradient2{})
	b.ReportAllocs()
	for b.Loop() {
		a.Observe(Sample{RTT: ms, InFlight: 200})
	}
}
