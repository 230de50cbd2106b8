package metronome

import "time"

// origin returns the time of beat 0, which is never yielded. It is at most now,
// and less than one interval before it.
func (o Options) origin(now time.Time) time.Time {
	if !o.Align {
		return now
	}
	past := now.UnixNano() % int64(o.Interval)
	if past < 0 { // a clock set before 1970
		past += int64(o.Interval)
	}
	return now.Add(-time.Duration(past)) // Add keeps the monotonic reading
}
