package pipeline

import "time"

// Backoff is a delay that doubles with each failed attempt, from First to Max.
type Backoff struct {
	First time.Duration // after the first attempt; default 10 ms, or Max if that is shorter
	Max   time.Duration // default 1 s, or First if that is longer
}

func (b *Backoff) setDefaults() {
	if b.First == 0 {
		b.First = 10 * time.Millisecond
		if b.Max > 0 {
			b.First = min(b.First, b.Max)
		}
	}
	setDefault(&b.Max, max(time.Second, b.First))
}

// after returns the delay after the given attempt, which counts from 1.
func (b Backoff) after(attempt int) time.Duration {
	d := b.First
	for ; attempt > 1 && d < b.Max; attempt-- {
		d += min(d, b.Max-d) // cannot overflow
	}
	return d
}
