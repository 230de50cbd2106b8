package core

import (
	"context"
	"fmt"
	"time"

	"github.com/failsafe-go/failsafe-go/adaptivelimiter"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/governor"
)

const failsafe = "failsafe-go adaptivelimiter"

// limitsCases are about the price of being allowed to do something.
func limitsCases() []bench.Case { return append(limiterCases(), quotaCases()...) }

func limiterCases() []bench.Case {
	return []bench.Case{
		limiterCase("permit without a wait, and success", tryPermits, tryFailsafePermits),
		limiterCase("permit with a context, and success", permits, failsafePermits),
	}
}

// limiterCase compares the limiters as they come, with the defaults of both:
// from 20 permits up to what the samples say.
func limiterCase(name string, ours func(*governor.Limiter, int) error, theirs func(adaptivelimiter.AdaptiveLimiter[any], int) error) bench.Case {
	return bench.Case{
		Scenario: "limits", Name: name,
		About:   "One goroutine takes a permit of an adaptive limiter and ends it with success. Both read the clock twice.",
		Metrics: costs("permit"),
		Sides: []bench.Side{
			{Name: single, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
				return measurePermits(about, ours)
			}},
			{Name: failsafe, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
				l := adaptivelimiter.NewBuilder[any]().WithLimits(1, 200, 20).Build()
				return measure(about, "permit", func(n int) error { return theirs(l, n) })
			}},
		},
		Bars: []bench.Bar{
			{Metric: "permit", Rival: failsafe, AtMost: 0.5, Source: "half of what there is"},
			noAllocations(""),
		},
	}
}

func measurePermits(about time.Duration, work func(*governor.Limiter, int) error) (bench.Sample, error) {
	l, err := governor.NewLimiter(governor.LimiterOptions{})
	if err != nil {
		return nil, err
	}
	permits := 0
	sample, err := measure(about, "permit", func(n int) error {
		permits += n
		return work(l, n)
	})
	if s := l.Stats(); err == nil && (s.Succeeded != uint64(permits) || s.Held != 0) {
		return nil, fmt.Errorf("limits: %d permits succeeded and %d are held, want %d and 0", s.Succeeded, s.Held, permits)
	}
	return sample, err
}

func tryPermits(l *governor.Limiter, n int) error {
	for range n {
		t, ok := l.TryAcquire()
		if !ok {
			return fmt.Errorf("limits: no permit")
		}
		t.Success()
	}
	return nil
}

func permits(l *governor.Limiter, n int) error {
	for range n {
		t, err := l.Acquire(context.Background())
		if err != nil {
			return err
		}
		t.Success()
	}
	return nil
}

func tryFailsafePermits(l adaptivelimiter.AdaptiveLimiter[any], n int) error {
	for range n {
		p, ok := l.TryAcquirePermit()
		if !ok {
			return fmt.Errorf("limits: no permit")
		}
		p.Record()
	}
	return nil
}

func failsafePermits(l adaptivelimiter.AdaptiveLimiter[any], n int) error {
	for range n {
		p, err := l.AcquirePermit(context.Background())
		if err != nil {
			return err
		}
		p.Record()
	}
	return nil
}
