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
		p := start(t.Context(), "-duration", "9s", "-rate", "30000", "-json")
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
		if s.Symbols != 500 || s.In < 260_000 || s.In > 275_000 {
			t.Errorf("%d quotes of %d symbols, want about 270000 of 500", s.In, s.Symbols)
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
				start(ctx, "-via", via, "-rate", "5000", "-json").mustPass(t)
				if took := time.Since(begin); took > 3*time.Second {
					t.Errorf("took %v, want no longer than what waits", took)
				}
			})
		})
	}
}
