package quota

import (
	"math"
	"time"
)

// bucket is what the window cannot be: a memory of debt. A window forgets what
// was charged when the sample is over, paid or not, and a source that is held
// back until then has been let off the rest: with 80 ms handlers under 80 ms per
// second a single source would get 1.7 times its quota.
//
// It is the token bucket of KIP-599: it fills at the limit, holds what the limit
// allows during all samples (one window by default) and may go below zero.
// Stored is what is missing, so that a bucket is full at zero and stays right
// when the limit, and with it the size, changes.
type bucket struct {
	missing float64 // units
	at      time.Duration
}

// fill brings the bucket up to date. Times that run back fill nothing.
func (b *bucket) fill(t time.Duration, limit float64) {
	if math.IsInf(limit, 1) {
		b.missing = 0
	} else if t > b.at {
		b.missing = max(0, b.missing-limit*(t-b.at).Seconds())
	}
	b.at = max(b.at, t)
}

func (b *bucket) charge(t time.Duration, limit float64, v int64) {
	b.fill(t, limit)
	if !math.IsInf(limit, 1) {
		b.missing = max(0, b.missing+float64(v))
	}
}

// tokens returns what is left in a bucket that holds hold's worth of the limit.
func (b *bucket) tokens(limit float64, hold time.Duration) float64 {
	return limit*hold.Seconds() - b.missing
}

// debt returns how long it takes until no token is owed, at most so long.
func (b *bucket) debt(limit float64, hold, most time.Duration) time.Duration {
	if math.IsInf(limit, 1) {
		return 0
	}
	owed := -b.tokens(limit, hold)
	if owed <= tie*limit*hold.Seconds() {
		return 0
	}
	return clamp(math.Ceil(owed/limit*float64(time.Second)), most)
}
