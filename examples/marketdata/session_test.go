package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestGovernorFollowsTheConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t.Context(), "-duration", "9s", "-rate", "20000", "-json")
		s := p.mustPass(t)
		if s.DivisorBase != 10 || s.DivisorMax < 25 || s.DivisorMax > 36 || s.DivisorEnd != 10 {
			t.Errorf("divisor %d, %d at most, %d at the end, want 10, about 30 and 10", s.DivisorBase, s.DivisorMax, s.DivisorEnd)
		}
		if s.SlowOut < 0.95*s.SlowFree || s.SlowOut > s.SlowFree+1 {
			t.Errorf("%v reads/s in the slow third, want nearly %v", s.SlowOut, s.SlowFree)
		}
		if s.WaitP99 < 1000 || s.WaitP99 > 1.25*s.WaitBound {
			t.Errorf("wait p99 %v ms, bound %v ms", s.WaitP99, s.WaitBound)
		}
		if s.Symbols != 500 || s.In < 175_000 || s.In > 185_000 {
			t.Errorf("%d quotes of %d symbols, want about 180000 of 500", s.In, s.Symbols)
		}
		if lines := strings.Count(p.stdout.String(), "slow consumer"); lines != 3 {
			t.Errorf("%d lines say that the consumer is slow, want 3:\n%s", lines, &p.stdout)
		}
	})
}

func TestInterruptDrains(t *testing.T) {
	for _, via := range []string{viaMemory, viaWatermill} {
		t.Run(via, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
				defer cancel()
				begin := time.Now()
				p := start(ctx, "-via", via, "-rate", "5000", "-trades", "-json")
				p.mustPass(t)
				if !strings.Contains(p.stderr.String(), "draining... ") {
					t.Errorf("%q, want it to say that it drains", &p.stderr)
				}
				if took := time.Since(begin); took > 3*time.Second {
					t.Errorf("took %v, want no longer than what waits", took)
				}
			})
		})
	}
}

func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		p := start(t.Context(), "-interval", "1h", "-duration", "1s", "-rate", "1000", "-symbols", "20", "-json")
		if s := p.summary(t); p.status != 1 || s.Waiting == 0 || !strings.Contains(p.stderr.String(), "still waited 1m0s") {
			t.Errorf("status %d, %d waiting and %q, want 1 and what still waits", p.status, s.Waiting, &p.stderr)
		}
		if took := time.Since(begin); took > 62*time.Second {
			t.Errorf("took %v, want no more than the patience and a drain", took)
		}
	})
}

func TestWithoutGovernor(t *testing.T) {
	for name, test := range map[string]struct {
		flags string
		base  int
	}{
		"a read each beat": {"-high 0 -interval 10ms", 1},
		"no pace":          {"-high 0 -interval 0", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := start(t.Context(), strings.Fields("-duration 3s -rate 5000 -symbols 50 -json "+test.flags)...)
				if s := p.mustPass(t); s.DivisorBase != test.base || s.DivisorMax != test.base || s.DivisorEnd != test.base {
					t.Errorf("divisor %d, %d and %d, want %d all the time", s.DivisorBase, s.DivisorMax, s.DivisorEnd, test.base)
				}
			})
		})
	}
}
