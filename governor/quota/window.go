package quota

import (
	"math"
	"time"
)

// window sums what was charged during the last samples, as Kafka's Rate does
// (SampledStat, in the form of KAFKA-16092 that keeps one sample more). All
// times are since some fixed instant.
//
// A sample starts with a record, not on a grid. One that is partly out of the
// window still counts whole, so the reading spans up to one sample more than
// asked for.
type window struct {
	samples int
	size    time.Duration // of one sample
	// floor makes the span at least one sample, and else the time since the
	// oldest record. A single sample needs it: without it the first record would
	// be a rate over no time.
	floor bool

	ring    []sample // grows to samples+1
	current int
}

type sample struct {
	start, last time.Duration // first and last record
	sum         int64
	count       int64
}

// reading is a sum and the time that it was charged in.
type reading struct {
	sum  int64
	span time.Duration
}

func (w *window) record(t time.Duration, v int64) {
	if len(w.ring) == 0 {
		w.ring = append(w.ring, sample{start: t})
	} else if t-w.ring[w.current].start >= w.size {
		w.advance(t)
	}
	s := &w.ring[w.current]
	s.sum = add(s.sum, v)
	s.count++
	s.last = t
}

func (w *window) advance(t time.Duration) {
	w.current = (w.current + 1) % (w.samples + 1)
	if w.current == len(w.ring) {
		w.ring = append(w.ring, sample{})
	}
	w.ring[w.current] = sample{start: t, last: t}
}

// purge empties the samples that are over. It goes by the last record of each,
// so that one which reaches into the window is kept.
func (w *window) purge(t time.Duration) {
	for i := range w.ring {
		if s := &w.ring[i]; t-s.last >= time.Duration(w.samples)*w.size {
			*s = sample{start: t, last: t}
		}
	}
}

func (w *window) read(t time.Duration) reading {
	w.purge(t)
	var r reading
	oldest := t
	for i := range w.ring {
		r.sum = add(r.sum, w.ring[i].sum)
		oldest = min(oldest, w.ring[i].start)
	}
	r.span = t - oldest
	if w.floor {
		r.span = max(r.span, w.size)
	} else if missing := time.Duration(w.samples-1) - r.span/w.size; missing > 0 {
		r.span += missing * w.size
	}
	return r
}

// mean is the mean of the values of the last samples, and 0 if there are none.
func (w *window) mean(t time.Duration) float64 {
	w.purge(t)
	var sum, count int64
	for _, s := range w.ring {
		sum, count = add(sum, s.sum), count+s.count
	}
	if count == 0 {
		return 0
	}
	return float64(sum) / float64(count)
}

// nextPurge returns how long it takes until a sample is over, at most limit.
func (w *window) nextPurge(t, limit time.Duration) time.Duration {
	for _, s := range w.ring {
		if s.sum != 0 {
			limit = min(limit, s.last+time.Duration(w.samples)*w.size-t)
		}
	}
	return limit
}

// add is a+b that stays within an int64.
func add(a, b int64) int64 {
	c := a + b
	if a > 0 && b > 0 && c < 0 {
		return math.MaxInt64
	}
	if a < 0 && b < 0 && c >= 0 {
		return math.MinInt64
	}
	return c
}
