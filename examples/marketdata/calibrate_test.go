package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

func TestCalibrate(t *testing.T) {
	const flags = "-calibrate -consume 7ms -workers 4 -capacity 2 -duration 3s -rate 5000 -symbols 50"
	synctest.Test(t, func(t *testing.T) {
		p := start(t.Context(), strings.Fields(flags+" -json")...)
		s := p.mustPass(t)
		proposed, err := parseFlags(strings.Fields(s.Proposed), &p.stderr)
		if err != nil {
			t.Fatalf("%q: %v", s.Proposed, err)
		}
		// The buckets of a histogram make a quantile up to 3.2 % too large.
		if proposed.high < 70*time.Millisecond || proposed.high > 73*time.Millisecond {
			t.Errorf("-high %v, want 10 times 7 ms", proposed.high)
		}
		if period := proposed.interval * time.Duration(proposed.base); period < 4990*time.Microsecond || period > 5010*time.Microsecond {
			t.Errorf("-interval %v and -base %d, want a read each 5 ms: 7 ms / 2 places / 0.7", proposed.interval, proposed.base)
		}
		if !strings.Contains(p.stdout.String(), "proposed      "+s.Proposed) {
			t.Errorf("want %q in\n%s", s.Proposed, &p.stdout)
		}
	})
}

func TestProposeNeedsFigures(t *testing.T) {
	got, err := options{workers: 1}.propose(governor.Durations{})
	if got != "" || err == nil || !strings.HasPrefix(err.Error(), "-calibrate: ") {
		t.Errorf("got %q and %v, want an error", got, err)
	}
}
