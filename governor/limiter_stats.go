package governor

// LimiterStats is one consistent reading of a Limiter.
type LimiterStats struct {
	Limit    int // permits that may be out
	Held     int // permits that are out; above Limit for a while after it fell
	InFlight int // of them started: the others are reserved
	Waiting  int // goroutines that wait for one

	Succeeded uint64 // ended so far
	Ignored   uint64
	Dropped   uint64

	// Reading is what the limit was computed from.
	Reading Reading
}

// Stats returns a reading.
func (l *Limiter) Stats() LimiterStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LimiterStats{
		Limit:     l.limit,
		Held:      l.held,
		InFlight:  l.inFlight,
		Waiting:   l.waiters.count,
		Succeeded: l.ended[Succeeded],
		Ignored:   l.ended[Ignored],
		Dropped:   l.ended[Dropped],
		Reading:   l.algorithm.Reading(),
	}
}

// Limit returns the permits that may be out now.
func (l *Limiter) Limit() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limit
}
