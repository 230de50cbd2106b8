package governor

import (
	"fmt"
	"testing"
	"time"
)

// TestSimulationLatencyAlone: a consumer that is slow but never queues gains
// nothing from a slower pace, so that the divisor must stay.
func TestSimulationLatencyAlone(t *testing.T) {
	s := scenario{load: 0.01, servers: 1000, service: exponential, highs: 0.5}
	g := s.governor(t)
	w := s.world()
	w.pacer = g
	w.run(1)
	if got := g.Divisor(); got != simBase {
		t.Errorf("divisor %d, want %d", got, simBase)
	}
	if rate, _ := w.between(5, simEnd); rate < 99 {
		t.Errorf("%.1f/s, want 100", rate)
	}
}

// TestSimulationAge steers by +-1 on two latencies. Time in the cache grows with
// the divisor, so that the loop feeds itself and outlives its cause.
func TestSimulationAge(t *testing.T) {
	const top, end = 100, 120
	run := func(byAge bool) (reached float64, divisor int, rate, p99 float64) {
		p := &plain{divisor: simBase, base: simBase, max: top, high: 70 * time.Millisecond, low: 35 * time.Millisecond}
		w := scenario{load: 0.7, servers: 1, service: deterministic}.world()
		w.keys, w.end, w.byAge, w.pacer, w.speeds = 5, end, byAge, p, sixfold()
		reached = end
		w.watch = func(now float64) {
			if p.divisor < top {
				reached = end
			} else {
				reached = min(reached, now)
			}
		}
		w.run(1)
		rate, p99 = w.between(end-20, end)
		return reached, p.divisor, rate, p99
	}
	reached, divisor, rate, p99 := run(true)
	rows := []string{fmt.Sprintf("by time in cache: at Max from %.0f s on, %.1f/s at the end, p99 %.0f ms", reached, rate, p99*1e3)}
	if divisor != top || reached > end-40 {
		t.Errorf("by time in cache: divisor %d, at Max from %.0f s on; want a run away that stays", divisor, reached)
	}
	_, divisor, rate, p99 = run(false)
	rows = append(rows, fmt.Sprintf("by consumer latency: divisor %d, %.1f/s at the end, p99 %.0f ms", divisor, rate, p99*1e3))
	document(t, rows[0], rows[1:])
	if divisor != simBase {
		t.Errorf("by consumer latency: divisor %d, want %d", divisor, simBase)
	}
}
