package governor

import (
	"fmt"
	"testing"
)

// readsScenarios have consumers that could do much more than Base asks for.
func readsScenarios() (all []scenario) {
	for _, load := range []float64{0.1, 0.35} {
		for _, service := range simServices[:2] {
			all = append(all,
				scenario{load: load, servers: 1, service: service, highs: 10, maxReads: 8},
				scenario{load: load, servers: 4, service: service, highs: 10, maxReads: 8},
				scenario{load: load, sharing: true, servers: 4, service: service, highs: 10, maxReads: 8},
				scenario{load: load, pulling: true, servers: 4, service: service, highs: 4, maxReads: 4})
		}
	}
	return all
}

// TestSimulationReads: extra reads use what the consumer has to spare, and all
// bars hold with them: no less is done during the slow stretch, no later.
func TestSimulationReads(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, s := range readsScenarios() {
		rows = append(rows, s.readsRow(t))
	}
	document(t, "consumer    service        entries  load   well  p99          slow  p99          Base after  stall", rows)
}

func (s scenario) readsRow(t *testing.T) string {
	t.Helper()
	r := s.slowDown(t)
	if r.wellRate < 150 {
		t.Errorf("%v: %.0f/s while well, which is 100/s without extra reads", s, r.wellRate)
	}
	if r.againRate < 0.8*r.wellRate {
		t.Errorf("%v: %.0f/s before, %.0f/s afterwards", s, r.wellRate, r.againRate)
	}
	// Without extra reads it is 100/s, or what the slow consumer can do.
	if without := min(100, 1000/s.ideal()); r.rate < 0.92*without {
		t.Errorf("%v: %.1f/s while slow, %.1f/s without extra reads", s, r.rate, without)
	}
	if r.wellP99 > 2*s.high() {
		t.Errorf("%v: p99 is %.2f High while well", s, r.wellP99/s.high())
	}
	if s.pulling {
		if r.backAfter > 2 {
			t.Errorf("%v: back at Base after %.2f s", s, r.backAfter)
		}
	} else {
		s.checkBars(t, s.searchFixed(r))
	}
	handed := s.stall(t)
	return fmt.Sprintf("%v  %3.0f/s  %.2f High  %5.1f/s  %.2f High  %.2f s      %2d",
		s, r.wellRate, r.wellP99/s.high(), r.rate, r.p99/s.high(), r.backAfter, handed)
}
