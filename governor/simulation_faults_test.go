package governor

import (
	"fmt"
	"testing"
)

func faultScenarios(loads ...float64) (all []scenario) {
	for _, load := range loads {
		for _, sharing := range []bool{false, true} {
			for _, servers := range []int{1, 4} {
				all = append(all, scenario{load: load, sharing: sharing, servers: servers, service: exponential, highs: 10})
			}
		}
	}
	return all
}

// TestSimulationStall: a consumer that stands still for 5 s is not buried.
func TestSimulationStall(t *testing.T) {
	var rows []string
	for _, s := range faultScenarios(0.7, 0.35, 0.1) {
		rows = append(rows, fmt.Sprintf("%v  %3d", s, s.stall(t)))
	}
	document(t, "consumer    service        entries  load  handed out in a 5 s stall", rows)
}

// stall returns how much is handed out to a consumer that stands still for 5 s.
func (s scenario) stall(t *testing.T) (handed int) {
	t.Helper()
	w := s.world()
	w.pacer, w.end = s.governor(t), 15
	w.speeds = []speed{{5, 0}, {10, 1}}
	w.run(1)
	for _, at := range w.handed {
		if at >= 5 && at < 10 {
			handed++
		}
	}
	if handed > 20+s.servers {
		t.Errorf("%v: handed out %d, want at most %d", s, handed, 20+s.servers)
	}
	if rate, _ := w.between(14, 15); rate < 90 {
		t.Errorf("%v: %.0f/s after the stall", s, rate)
	}
	return handed
}

// TestSimulationLostLease: one lease in a minute that never ends. What it costs
// grows with High, hence with the load.
func TestSimulationLostLease(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, s := range faultScenarios(0.7) {
		count := func(loseAfter float64) int {
			w := s.world()
			w.pacer, w.end, w.loseAfter = s.governor(t), 60, loseAfter
			w.run(1)
			return len(w.done)
		}
		kept := float64(count(10)) / float64(count(0))
		rows = append(rows, fmt.Sprintf("%v  %5.1f %%", s, 100*(1-kept)))
		if kept < 0.95 {
			t.Errorf("%v: lost %.1f %%", s, 100*(1-kept))
		}
	}
	document(t, "consumer    service        entries  load  cost of a lost lease in 60 s", rows)
}
