package quota

import (
	"math"
	"time"
)

// tie is how far a rate may be above its limit and still count as equal. It
// covers the rounding of floats, which must not throttle.
const tie = 1e-9

// rate returns units per second.
func (r reading) rate() float64 {
	if r.span <= 0 {
		return 0
	}
	return float64(r.sum) / r.span.Seconds()
}

// over reports whether the rate is above the limit; equal is within.
func (r reading) over(limit float64) bool { return r.rate() > limit*(1+tie) }

// excess is the delay that brings the rate down to the limit: with rate O, limit
// T and span W it is (O-T)/T*W, the formula of KIP-13 and KIP-124. It is
// rounded to a millisecond, and at most limit.
func (r reading) excess(limit float64, most time.Duration) time.Duration {
	if !r.over(limit) {
		return 0
	}
	ms := math.Floor((r.rate()-limit)/limit*r.span.Seconds()*1000 + 0.5)
	return clamp(ms*float64(time.Millisecond), most)
}

// clamp converts a float of nanoseconds. It compares before it converts: a
// float that does not fit would turn negative, and a delay into none.
func clamp(ns float64, most time.Duration) time.Duration {
	switch {
	case !(ns > 0):
		return 0
	case ns >= float64(most):
		return most
	}
	return time.Duration(ns)
}
