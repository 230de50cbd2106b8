package governor

import (
	"slices"
	"testing"
	"time"
)

// process runs one entry that takes so many milliseconds.
func process(g *Governor, start, latency float64, queued bool) {
	w := g.Start(at(start), Release{At: at(start), Queued: queued, Beat: true})
	g.Done(at(start+latency), w)
}

func reasonsOf(decisions []Decision) (all []Reason) {
	for _, d := range decisions {
		all = append(all, d.Reason)
	}
	return all
}

func TestOnlyTheFirstOfARunOfHoldsIsReported(t *testing.T) {
	var reported []Decision
	g := mustNew(t, true, Options{High: 10 * ms, Window: 1, Parallel: 1, OnDecision: func(d Decision) { reported = append(reported, d) }})
	latencies := []float64{1, 1, 7, 7, 7, 12, 12, 1}
	for i, latency := range latencies {
		process(g, float64(20*i), latency, latency == 7) // queued holds: neither direction is called for
	}
	want := []Reason{AtBase, Hold, NoQueue, AtBase}
	if got := reasonsOf(g.Decisions()); !slices.Equal(got, want) {
		t.Errorf("remembered %v, want %v", got, want)
	}
	if !slices.Equal(reported, g.Decisions()) {
		t.Errorf("reported %v, want what is remembered", reasonsOf(reported))
	}
}

func TestEveryChangeIsReported(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Window: 1, Max: 12, Base: 10})
	for i := range 4 {
		process(g, float64(100*i), 50, true)
		g.idle = false // keep the idle rule out of it
	}
	want := []Reason{Slower, Slower, AtMax}
	if got := reasonsOf(g.Decisions()); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDecisionShowsItsGrounds(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Low: 3 * ms, Parallel: 1})
	first := g.Start(at(0), Release{At: at(0), Queued: true, Beat: true})
	second := g.Start(at(1), Release{At: at(1), Queued: true, Beat: true})
	g.Done(at(20), first)
	g.Done(at(25), second)
	got := g.Decisions()
	want := Decision{
		Time: at(25), From: 10, To: 11, ReadsFrom: 1, ReadsTo: 1, Reason: Slower,
		Signal: 22 * ms, High: 10 * ms, Low: 3 * ms, Samples: 2, Queued: 2, Braked: true,
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestEveryProbeIsReported(t *testing.T) {
	g := mustNew(t, true, Options{High: 10 * ms, Parallel: 1})
	g.Start(at(0), Release{})
	for now := 1.0; now <= 700; now++ {
		g.Beat(at(now), 1, 0)
	}
	var times []time.Duration
	for _, d := range g.Decisions() {
		if d.Reason != Probe || d.From != d.To || !d.Braked {
			t.Errorf("got %+v, want a probe", d)
		}
		times = append(times, d.Time.Sub(epoch))
	}
	// On at 5 ms, the waits are 200 and 400 ms.
	if want := []time.Duration{205 * ms, 605 * ms}; !slices.Equal(times, want) {
		t.Errorf("probes at %v, want %v", times, want)
	}
}
