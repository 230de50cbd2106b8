package governor

import "time"

// fixed passes every call of Beat: the world ticks at the rival's period.
type fixed struct{}

func (fixed) Beat(time.Time, uint64, int) int { return 1 }
func (fixed) Start(time.Time, Release) Work   { return Work{} }
func (fixed) Done(time.Time, Work) int        { return 0 }

// free gives new credit whenever an entry is done: an unpaced pulling consumer.
type free struct{ fixed }

func (free) Done(time.Time, Work) int { return 1 }

// plain steps by one on latency alone: no guard, no idle steps, no brake.
type plain struct {
	divisor, base, max int
	high, low          time.Duration
	changed            time.Time
	phase              phase
}

func (p *plain) Beat(_ time.Time, beats uint64, _ int) int {
	return int(p.phase.advance(beats, p.divisor))
}

func (p *plain) Start(_ time.Time, r Release) Work { return Work{release: r} }

func (p *plain) Done(now time.Time, w Work) int {
	if w.release.At.Before(p.changed) {
		return 0
	}
	from := p.divisor
	switch latency := now.Sub(w.release.At); {
	case latency > p.high:
		p.divisor = min(p.divisor+1, p.max)
	case latency < p.low:
		p.divisor = max(p.divisor-1, p.base)
	}
	if p.divisor != from {
		p.changed = now
	}
	return 0
}
