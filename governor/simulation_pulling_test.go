package governor

import (
	"fmt"
	"testing"
)

// TestSimulationPulling compares with workers that take entries unpaced.
func TestSimulationPulling(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, load := range []float64{0.7, 0.35} {
		for _, servers := range []int{1, 4} {
			for _, service := range simServices {
				s := scenario{load: load, pulling: true, servers: servers, service: service, highs: 4}
				rows = append(rows, s.comparePulling(t))
			}
		}
	}
	document(t, "consumer    service        entries  load    rate   free      divisor  ideal  Base after", rows)
}

func (s scenario) comparePulling(t *testing.T) string {
	t.Helper()
	r := s.slowDown(t)
	w := s.world()
	w.pacer, w.speeds, w.credit = free{}, sixfold(), s.servers
	w.run(1)
	freeRate, _ := w.between(slowFrom, slowTo)
	ideal := s.ideal()

	if r.rate < 0.85*freeRate {
		t.Errorf("%v: %.1f/s, unpaced %.1f/s", s, r.rate, freeRate)
	}
	if s.service.name == "deterministic" && (float64(r.lowest) < 0.8*ideal || float64(r.highest) > 1.2*ideal) {
		t.Errorf("%v: divisor %d..%d, want %.0f +-20 %%", s, r.lowest, r.highest, ideal)
	}
	if r.backAfter > 2 {
		t.Errorf("%v: back at Base after %.2f s", s, r.backAfter)
	}
	return fmt.Sprintf("%s  %4.1f/s  %4.1f/s  %d..%d   %.0f     %.2f s", s, r.rate, freeRate, r.lowest, r.highest, ideal, r.backAfter)
}
