package main

import (
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// sample is how a tenant stands at one moment. Counts are since the start.
type sample struct {
	readings uint64        // that went into the cache
	busy     time.Duration // with decoding
	usage    quota.Usage   // zero without quotas
}

// used is what a tenant did in a time.
type used struct {
	readings  uint64
	busy      time.Duration
	throttled uint64
	delayed   time.Duration // what charges were told to wait
	waited    time.Duration // what producers did wait
}

// since returns what a tenant did since an earlier sample.
func (s sample) since(before sample) used {
	was := before.usage
	if s.usage.User != was.User || s.usage.ClientID != was.ClientID || s.usage.Total < was.Total {
		was = s.usage // another budget, whose counts tell nothing of this time
	}
	return used{
		readings:  s.readings - before.readings,
		busy:      s.busy - before.busy,
		throttled: s.usage.Throttled - was.Throttled,
		delayed:   s.usage.Delayed - was.Delayed,
		waited:    s.usage.Waited - was.Waited,
	}
}

func (u used) add(more used) used {
	return used{
		readings:  u.readings + more.readings,
		busy:      u.busy + more.busy,
		throttled: u.throttled + more.throttled,
		delayed:   u.delayed + more.delayed,
		waited:    u.waited + more.waited,
	}
}

// share returns the percentage of the time of all producers.
func (u used) share(producers int, elapsed time.Duration) float64 {
	return 100 * u.busy.Seconds() / (float64(producers) * elapsed.Seconds())
}
