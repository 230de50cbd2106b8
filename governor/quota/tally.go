package quota

import "time"

const (
	// Throttle times are averaged as Kafka does, over the last 30 s to 90 s.
	meanSamples = 2
	meanSize    = 30 * time.Second

	// reportEvery is how often OnThrottle hears of one entity at most.
	reportEvery = 30 * time.Second
)

// tally is what an account reports about itself.
type tally struct {
	total     int64 // ns or bytes
	throttled uint64
	delayed   time.Duration
	waited    time.Duration // in waits that have ended
	delays    *window       // nil until there is one; most entities never have one

	reported   bool
	reportedAt time.Duration
}

// charge returns whether it is time to report the entity.
func (y *tally) charge(t time.Duration, v int64, delay time.Duration) bool {
	y.total = add(y.total, v)
	if delay == 0 {
		return false
	}
	y.throttled++
	y.delayed = later(y.delayed, delay)
	if y.delays == nil {
		y.delays = &window{samples: meanSamples, size: meanSize}
	}
	y.delays.record(t, int64(delay))
	if y.reported && t-y.reportedAt < reportEvery {
		return false
	}
	y.reported, y.reportedAt = true, t
	return true
}

// meanDelay is 0, not NaN, if nothing was throttled lately.
func (y *tally) meanDelay(t time.Duration) time.Duration {
	if y.delays == nil {
		return 0
	}
	return time.Duration(y.delays.mean(t))
}
