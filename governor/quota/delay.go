package quota

import "time"

// Delay is what a charge costs its entity, by quota. Both parts are zero while
// the entity is within its quotas.
type Delay struct {
	// Bytes comes first.
	Bytes time.Duration
	// Time is what is left to wait after Bytes: the request time is recorded at
	// the end of that delay. This is the order of KIP-124.
	Time time.Duration
}

// Total returns the sum of both.
func (d Delay) Total() time.Duration {
	if sum := d.Bytes + d.Time; sum >= d.Bytes {
		return sum
	}
	return 1<<63 - 1
}
