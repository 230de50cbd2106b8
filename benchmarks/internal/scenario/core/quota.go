package core

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/governor/quota"
)

const tokenBucket = "x/time/rate AllowN"

// What a charge is for: every millisecond one piece of work ends.
const (
	every   = time.Millisecond
	busy    = 50 * time.Microsecond
	charged = 100 // bytes

	ample  = "1000000" // bytes per second: ten times as many
	scarce = "1"
	most   = "80" // percent of the time of eight producers: far more than busy
)

func quotaCases() []bench.Case {
	return []bench.Case{
		quotaCase("quota charge, bytes", 1, change(quota.ProducerByteRate, ample)),
		quotaCase("quota charge, time and bytes", 1,
			change(quota.ProducerByteRate, ample), change(quota.RequestTimePercent, most)),
		quotaCase("quota charge, time and bytes, 11 samples", 11,
			change(quota.ProducerByteRate, ample), change(quota.RequestTimePercent, most)),
		quotaCase("quota charge, far above the quota", 1, change(quota.ProducerByteRate, scarce)),
	}
}

func change(k quota.Key, value string) quota.Change { return quota.Change{Key: k, Value: value} }

// quotaCase compares a charge with one token bucket for each quota.
func quotaCase(name string, samples int, changes ...quota.Change) bench.Case {
	return bench.Case{
		Scenario: "limits", Name: name,
		About: "One goroutine tells what it has used, with the time handed in. A token bucket refuses what does not fit; " +
			"a quota takes it all and answers with a delay, and tells afterwards who used how much.",
		Metrics: costs("charge"),
		Sides: []bench.Side{
			{Name: single, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
				return measureCharges(about, samples, changes)
			}},
			{Name: tokenBucket, Measure: func(_ context.Context, about time.Duration) (bench.Sample, error) {
				return measureBuckets(about, changes)
			}},
		},
		Bars: []bench.Bar{
			{Metric: "charge", AtMost: 300, Source: "not noticed beside the work"},
			noAllocations(""),
		},
	}
}

func measureCharges(about time.Duration, samples int, changes []quota.Change) (bench.Sample, error) {
	q, err := quota.New(quota.Options{Samples: samples, Producers: 8})
	if err != nil {
		return nil, err
	}
	defer q.Close()
	alice := quota.Identity{User: "alice"}
	if err := q.Alter(quota.Entity{User: quota.Named(alice.User)}, changes...); err != nil {
		return nil, err
	}
	gate := q.Producer(alice)
	defer gate.Close()
	charges, now := 0, time.Now()
	sample, err := measure(about, "charge", func(n int) error {
		charges += n
		for range n {
			now = now.Add(every)
			gate.Charge(now, busy, charged)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sample, checkCharges(q.Describe(now, alice), charges, changes)
}

// checkCharges looks at the totals, and that only the scarce quota was exceeded.
func checkCharges(usages []quota.Usage, charges int, changes []quota.Change) error {
	for _, c := range changes {
		for _, u := range usages {
			if u.Key != c.Key {
				continue
			}
			want := int64(charges) * charged
			if u.Key == quota.RequestTimePercent {
				want = int64(charges) * int64(busy)
			}
			if u.Total != want || (u.Throttled > 0) != (c.Value == scarce) {
				return fmt.Errorf("limits: %s has total %d and was throttled %d times, want %d", u.Key, u.Total, u.Throttled, want)
			}
		}
	}
	return nil
}

// measureBuckets asks a bucket of bytes, and with two changes one of time too.
func measureBuckets(about time.Duration, changes []quota.Change) (bench.Sample, error) {
	limit := rate.Limit(1_000_000)
	if changes[0].Value == scarce {
		limit = 1
	}
	bytes := rate.NewLimiter(limit, max(charged, int(limit)))
	micros := rate.NewLimiter(8*0.8*1e6, 8*0.8*1e6)
	both := len(changes) > 1
	charges, refused, now := 0, 0, time.Now()
	sample, err := measure(about, "charge", func(n int) error {
		charges += n
		for range n {
			now = now.Add(every)
			if !bytes.AllowN(now, charged) || both && !micros.AllowN(now, int(busy.Microseconds())) {
				refused++
			}
		}
		return nil
	})
	if nearly := charges * 99 / 100; (limit == 1) != (refused > 0) || limit == 1 && refused < nearly {
		return nil, fmt.Errorf("limits: a token bucket refused %d of %d", refused, charges)
	}
	return sample, err
}
