package governor

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// document logs a table, and wants each row of it in the package documentation.
func document(t *testing.T, header string, rows []string) {
	t.Helper()
	t.Log("\n" + header + "\n" + strings.Join(rows, "\n"))
	if runtime.GOARCH != "amd64" {
		return // other roundings may give other digits
	}
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range append([]string{header}, rows...) {
		if !strings.Contains(string(text), "//\t"+row+"\n") {
			t.Errorf("not in doc.go: %s", row)
		}
	}
}

// A limit that is always full, over a consumer whose RTT is in proportion to
// what is in flight above 50.
func TestLimitSimulationDrift(t *testing.T) {
	updates := []int{500, 1000, 3000, 6000}
	run := func(o Gradient2) (limits []int) {
		o.Max = mostLimit
		a := start(t, &o)
		for i := 1; i <= 6000; i++ {
			n := a.Limit()
			rtt := time.Duration(float64(10*ms) * max(1, float64(n)/50))
			if a.Observe(Sample{RTT: rtt, InFlight: n}); i == updates[len(limits)] {
				limits = append(limits, a.Limit())
			}
		}
		return limits
	}
	var rows []string
	for _, o := range []Gradient2{
		{}, {Tolerance: 1.2}, {Tolerance: 1.5},
		{MaxHealthyRTT: 15 * ms}, {Tolerance: 1.5, MaxHealthyRTT: 15 * ms},
	} {
		l := run(o)
		rows = append(rows, fmt.Sprintf("%-17s  %4d  %5d  %5d  %5d", settings(o), l[0], l[1], l[2], l[3]))
		switch {
		case o.MaxHealthyRTT > 0:
			if l[3] > 100 {
				t.Errorf("%s: limit %d, want it to stay", settings(o), l[3])
			}
		case o.Tolerance > 1.4:
			if l[3] < 4000 {
				t.Errorf("%s: limit %d, want the drift that the documentation tells of", settings(o), l[3])
			}
		}
	}
	document(t, "tolerance  healthy   500   1000   3000   6000", rows)
}

// settings are the columns that say which Gradient2 it is.
func settings(o Gradient2) string {
	healthy := "-"
	if o.MaxHealthyRTT > 0 {
		healthy = o.MaxHealthyRTT.String()
	}
	return fmt.Sprintf("%.1f        %s", max(1, o.Tolerance), healthy)
}

// around gives durations within a tenth of a mean, which may change.
func around(mean *time.Duration) func(*rand.Rand) time.Duration {
	return func(r *rand.Rand) time.Duration {
		return *mean*9/10 + time.Duration(r.Int64N(int64(*mean/5)))
	}
}

// A step to load and back, with 20 servers of 100 ms and windows of 1 s.
func TestLimitSimulationStep(t *testing.T) {
	t.Parallel()
	const from, to, end = 180 * time.Second, 480 * time.Second, 900 * time.Second
	published := []Gradient2{{}, {MaxHealthyRTT: 150 * ms}}
	both := append(published, Gradient2{Tolerance: 1.5}, Gradient2{Tolerance: 1.5, MaxHealthyRTT: 150 * ms})
	tests := []struct {
		name    string
		options []Gradient2
		load    func(*closedLoop, *time.Duration)
	}{
		{"5 servers", both, func(c *closedLoop, _ *time.Duration) { c.setServers(5) }},
		{"400 ms each", published, func(_ *closedLoop, mean *time.Duration) { *mean = 400 * ms }},
	}
	var rows []string
	for _, test := range tests {
		for _, o := range test.options {
			mean := 100 * ms
			c := newClosedLoop(start(t, &Windowed{Limit: &o}), 20, around(&mean))
			c.run(from)
			test.load(c, &mean)
			c.run(to)
			mean = 100 * ms
			c.setServers(20)
			c.run(end)
			before, early := c.stretch(from/2, from), c.stretch(from, from+time.Minute)
			late, after := c.stretch(to-time.Minute, to), c.stretch(end-time.Minute, end)
			row := fmt.Sprintf("%-11s  %-18s", test.name, settings(o))
			for _, s := range []stretch{before, early, late, after} {
				row += fmt.Sprintf("  %3d %4.0f/s %5.2fs", s.last, s.rate, s.p99.Seconds())
			}
			rows = append(rows, row)
			if early.low > before.last/2 {
				t.Errorf("%s: limit %d before, %d at least under load", row, before.last, early.low)
			}
			if after.rate < 0.98*before.rate {
				t.Errorf("%s: %v/s before, %v/s after", row, before.rate, after.rate)
			}
		}
	}
	document(t, "load         tolerance  healthy  before             first minute       last minute        after", rows)
}

// Work of two kinds and no queue at all: every shrink is a mistake.
func TestLimitSimulationBimodal(t *testing.T) {
	t.Parallel()
	bimodal := func(r *rand.Rand) time.Duration {
		if r.IntN(10) == 0 {
			return 200 * ms
		}
		return 2 * ms
	}
	run := func(l Limit) stretch {
		c := newClosedLoop(start(t, l), 50, bimodal)
		c.run(90 * time.Second)
		return c.stretch(time.Minute, 90*time.Second)
	}
	var rows []string
	row := func(name string, o Gradient2, s stretch) {
		rows = append(rows, fmt.Sprintf("%-10s  %.1f        %2d..%-2d  %4.1f  %4.0f/s", name, max(1, o.Tolerance), s.low, s.high, s.mean, s.rate))
	}
	for _, o := range []Gradient2{{Max: 50}, {Max: 50, Tolerance: 1.5}} {
		single, windowed := run(&o), run(&Windowed{Limit: &o})
		row("per sample", o, single)
		row("windowed", o, windowed)
		if windowed.low <= 2*single.low || windowed.rate <= single.rate {
			t.Errorf("windowed %+v is no better than %+v", windowed, single)
		}
	}
	document(t, "updates     tolerance  limit   mean  rate", rows)
}
