package governor

import (
	"fmt"
	"testing"
	"time"
)

// Every scenario has a metronome of 1 ms and the default Base of 10, so that
// 100 entries a second are handed out while the consumer is well. It takes six
// times as long for each from slowFrom to slowTo.
const (
	slowFrom = 5.0
	slowTo   = 25.0
	simEnd   = 35.0
	simBase  = 10
)

// scenario is a consumer under a load, the share of its capacity that Base asks
// of it while it is well.
type scenario struct {
	load     float64
	pulling  bool
	sharing  bool
	servers  int
	service  simService
	arrivals float64 // a second; 0 means that there is always an entry
	highs    float64 // High in mean unstressed services
	maxReads int
}

// mean is the mean unstressed service in seconds.
func (s scenario) mean() float64 { return s.load * simBase * 0.001 * float64(s.servers) }

func (s scenario) high() float64 { return s.highs * s.mean() }

func (s scenario) String() string {
	kind, cached := "fifo", "always"
	if s.sharing {
		kind = "sharing"
	}
	if s.pulling {
		kind = "pulling"
	}
	if s.arrivals > 0 {
		cached = "poisson"
	}
	return fmt.Sprintf("%-7s %2d  %-13s  %-7s  %.2f", kind, s.servers, s.service.name, cached, s.load)
}

func (s scenario) world() *world {
	w := &world{
		tick: 0.001, keys: 3, arrivals: s.arrivals, pulling: s.pulling,
		service: s.service.of(s.mean()), end: simEnd,
		station: station{servers: s.servers, sharing: s.sharing},
	}
	if s.arrivals > 0 {
		w.keys = 1000
	}
	if s.maxReads > 0 {
		w.keys = 100
	}
	return w
}

func (s scenario) governor(t *testing.T) *Governor {
	t.Helper()
	g, err := New(time.Millisecond, !s.pulling, Options{
		High:     seconds(s.high()),
		Parallel: s.servers,
		MaxReads: s.maxReads,
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }

// slowed is what came of a scenario with the 6x step.
type slowed struct {
	rate, p99   float64 // while slow; p99 in seconds
	wellRate    float64 // over the 3 s before that
	wellP99     float64
	againRate   float64 // over the last 5 s
	lowest      int     // divisor over the second half of the slow stretch
	highest     int
	backAfter   float64 // seconds from the end of the slow stretch to Base
	bestRate    float64 // of a fixed divisor at no higher p99; 0 if there is none
	bestDivisor int
}

func sixfold() []speed { return []speed{{slowFrom, 1.0 / 6}, {slowTo, 1}} }

func (s scenario) slowDown(t *testing.T) slowed {
	t.Helper()
	g := s.governor(t)
	w := s.world()
	w.pacer, w.speeds = g, sixfold()
	r := slowed{lowest: 1 << 30, backAfter: simEnd}
	w.watch = func(now float64) {
		if now < (slowFrom+slowTo)/2 || r.backAfter < simEnd {
			return
		}
		if d := g.Divisor(); now < slowTo {
			r.lowest, r.highest = min(r.lowest, d), max(r.highest, d)
		} else if d == simBase {
			r.backAfter = now - slowTo
		}
	}
	w.run(1)
	r.rate, r.p99 = w.between(slowFrom, slowTo)
	r.wellRate, r.wellP99 = w.between(slowFrom-3, slowFrom)
	r.againRate, _ = w.between(simEnd-5, simEnd)
	return r
}

// ideal is the divisor at which the slowed consumer is just busy.
func (s scenario) ideal() float64 { return 6 * s.mean() / (0.001 * float64(s.servers)) }

// searchFixed finds the fixed divisor with the highest rate at no higher p99.
// It leaves out what cannot win: divisors so small that the backlog grows by
// seconds, and those too large for the rate already found.
func (s scenario) searchFixed(r slowed) slowed {
	smallest := max(simBase, int(0.75*s.ideal()))
	for d := smallest; d <= 9*simBase && 1000/float64(d) > 0.9*r.bestRate; d++ {
		w := s.world()
		w.pacer, w.speeds = fixed{}, sixfold()
		w.tick, w.end = float64(d)*0.001, slowTo
		w.late, w.lateLeft = r.p99, int((slowTo-slowFrom)/w.tick)/100+3
		w.run(1)
		rate, p99 := w.between(slowFrom, slowTo)
		if w.lateLeft > 0 && p99 <= r.p99 && rate > r.bestRate {
			r.bestRate, r.bestDivisor = rate, d
		}
	}
	return r
}

const asynchronousHead = "consumer    service        entries  load    rate    best fixed      p99  Base after"

func (s scenario) asynchronousRow(r slowed) string {
	best := "   none"
	if r.bestRate > 0 {
		best = fmt.Sprintf("%5.1f/s at %d", r.bestRate, r.bestDivisor)
	}
	return fmt.Sprintf("%s  %5.1f/s  %-12s  %.2f High  %.2f s", s, r.rate, best, r.p99/s.high(), r.backAfter)
}

// TestSimulationAsynchronous: no fixed divisor does better at no higher p99.
func TestSimulationAsynchronous(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, s := range asynchronousScenarios() {
		r := s.searchFixed(s.slowDown(t))
		rows = append(rows, s.asynchronousRow(r))
		s.checkBars(t, r)
	}
	document(t, asynchronousHead, rows)
}

var p99Bars = map[string]float64{"deterministic": 3, "exponential": 7}

func (s scenario) checkBars(t *testing.T, r slowed) {
	t.Helper()
	if r.rate < 0.95*r.bestRate {
		t.Errorf("%v: %.1f/s, the fixed divisor %d gives %.1f/s", s, r.rate, r.bestDivisor, r.bestRate)
	}
	if bar, ok := p99Bars[s.service.name]; ok && r.p99 > bar*s.high() {
		t.Errorf("%v: p99 is %.2f High, want at most %v", s, r.p99/s.high(), bar)
	}
	if r.backAfter > 2 {
		t.Errorf("%v: back at Base after %.2f s", s, r.backAfter)
	}
}

func asynchronousScenarios() (all []scenario) {
	for _, arrivals := range []float64{0, 90} {
		services := simServices
		if arrivals > 0 {
			services = simServices[:2]
		}
		for _, sharing := range []bool{false, true} {
			for _, servers := range []int{1, 4} {
				for _, service := range services {
					all = append(all, scenario{load: 0.7, sharing: sharing, servers: servers, service: service, arrivals: arrivals, highs: 10})
				}
			}
		}
	}
	for _, service := range simServices {
		all = append(all, scenario{load: 0.35, servers: 1, service: service, highs: 10})
	}
	for _, load := range []float64{0.2, 0.35, 0.5} {
		for _, sharing := range []bool{false, true} {
			all = append(all, scenario{load: load, sharing: sharing, servers: 4, service: deterministic, highs: 10})
		}
	}
	return all
}
