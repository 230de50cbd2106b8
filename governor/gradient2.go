package governor

import (
	"math"
	"time"
)

// Gradient2 is a limit that compares the RTT with its own long-term average and
// shrinks when the RTT rises, by the formula of Netflix concurrency-limits
// (Gradient2Limit, 2026-01). The zero value works. Each sample is an update;
// put it into a [Windowed] to have one update for each window.
//
// The published formula is
//
//	gradient = max(0.5, min(1, tolerance * long / rtt))
//	limit    = limit * (1 - smoothing) + (limit*gradient + queue) * smoothing
//
// where long is the exponential average of rtt over LongWindow samples. What it
// leaves out, and the implementation and this type have:
//
//   - An app-limited guard: a sample with fewer in flight than half the limit
//     changes nothing but the average. So the limit does not grow without being
//     used, and it does not shrink either, whatever the RTT.
//   - A decay: while the average is over twice the RTT, it falls by 5 % with
//     each sample. So a load that has passed is forgotten faster than learnt.
//   - A warm-up: the first 10 samples make a plain mean. A decay among the
//     first 9 is lost with the next sample.
//   - Clamps to Min and Max, and a limit kept as a fraction: what is enforced
//     is rounded down.
//   - Windows: the text speaks of sampling windows and of a short average.
//     There are none; rtt is the last sample. Windowed brings the windows.
//   - The tolerance of the reference is 1.5. Here it is 1, the published
//     formula: see Tolerance.
//
// With gradient 1 the limit grows by smoothing*queue = 0.8 a sample, whatever
// it is; with 0.5 it shrinks by a tenth a sample. It rests at
// queue/(1-gradient).
//
// Three states are told apart: steady, from steady to load, and from load to
// steady. [Reading] shows which one is present, and [State] says what each
// means.
//
// # The drift to Max
//
// A limit that is always full (a pipeline under overload, a closed loop) raises
// the RTT that it measures, and the average follows the RTT. So the limit
// creeps up, and only Max stops it. With a consumer of capacity 50, whose RTT
// rises in proportion to what is in flight above that, the limit is
//
//	updates          500   1000   3000   6000
//	tolerance 1.0     60     67     92    132
//	tolerance 1.2     93    136    559   2689
//	tolerance 1.5    170    394   1984   4384
//
// So Max is a choice to make: the largest number in flight that would still be
// acceptable. MaxHealthyRTT stops the drift where an acceptable RTT is known.
//
// One limit serves one kind of work against one consumer. It cannot tell slow
// work from a slow consumer.
type Gradient2 struct {
	// Initial is the limit to start with, between Min and Max. Zero means 20,
	// or Min or Max where that is nearer.
	Initial int
	// Min is the smallest limit. Zero means 1. The reference has 20, which is
	// no bound at all for a consumer that works one by one.
	Min int
	// Max is the largest limit, up to 1<<30. Zero means 200.
	Max int
	// Queue is how many may wait at the consumer without being taken for
	// overload. It is the step of growth. Zero means 4.
	Queue int
	// QueueFunc, if set, gives the queue for a limit and replaces Queue. It
	// must be pure: a Limiter calls it under its lock. Below 0 counts as 0.
	QueueFunc func(limit int) int
	// Smoothing is the weight of an update against the limit before it, over 0
	// and up to 1, in both directions. Zero means 0.2.
	Smoothing float64
	// LongWindow is the number of samples that the baseline averages. Zero
	// means 600: with windows of 1 s the baseline forgets half in 3.5 minutes.
	LongWindow int
	// Tolerance is the RTT, in baselines, up to which the limit grows. At least
	// 1. Zero means 1. The reference has 1.5, which in a closed loop runs to
	// Max: at a capacity of 50 to some 390 after 1000 updates and 4400 after
	// 6000, where 1 has 67 and 132.
	Tolerance float64
	// DropBackoff makes the gradient of a sample or window in which something
	// was dropped 0.5. Otherwise a drop is an RTT like any other, so that work
	// that always times out after the same time looks steady. The app-limited
	// guard still goes first. In a Windowed it acts once for each window.
	DropBackoff bool
	// MaxHealthyRTT keeps the baseline from learning an incident: RTTs (or
	// means of windows) above it do not enter the average. The price is that a
	// lasting rise above it is never learnt, and holds the limit down near
	// queue/(1-gradient). Zero means no bound.
	MaxHealthyRTT time.Duration
}

const (
	defaultInitial = 20
	mostLimit      = 1 << 30 // so that a limit is an int on 32 bits too
)

// Start implements Limit. A ceiling lowers Min, Max and Initial.
func (o *Gradient2) Start(ceiling int) (Algorithm, error) {
	c := o.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	c.Min, c.Max, c.Initial = under(c.Min, ceiling), under(c.Max, ceiling), under(c.Initial, ceiling)
	return newGradient(c), nil
}

func (o *Gradient2) withDefaults() Gradient2 {
	c := *o
	setDefault(&c.Min, 1)
	setDefault(&c.Max, 200)
	setDefault(&c.Initial, max(c.Min, min(c.Max, defaultInitial)))
	setDefault(&c.Queue, 4)
	setDefault(&c.Smoothing, 0.2)
	setDefault(&c.LongWindow, 600)
	setDefault(&c.Tolerance, 1)
	return c
}

// check expects the defaults to be filled in. The comparisons of floats are
// such that NaN fails them.
func (o *Gradient2) check() error {
	switch {
	case o.Min < 1:
		return invalid("Gradient2.Min must be at least 1, got %d", o.Min)
	case o.Max < o.Min:
		return invalid("Gradient2.Max must be at least Min (%d), got %d", o.Min, o.Max)
	case o.Max > mostLimit:
		return invalid("Gradient2.Max must be at most %d, got %d", mostLimit, o.Max)
	case o.Initial < o.Min || o.Initial > o.Max:
		return invalid("Gradient2.Initial must be from Min (%d) to Max (%d), got %d", o.Min, o.Max, o.Initial)
	case o.Queue < 0:
		return invalid("Gradient2.Queue must not be negative, got %d", o.Queue)
	case !(o.Smoothing > 0 && o.Smoothing <= 1):
		return invalid("Gradient2.Smoothing must be over 0 and up to 1, got %v", o.Smoothing)
	case o.LongWindow < 1:
		return invalid("Gradient2.LongWindow must be at least 1, got %d", o.LongWindow)
	case !(o.Tolerance >= 1) || math.IsInf(o.Tolerance, 1):
		return invalid("Gradient2.Tolerance must be a number of at least 1, got %v", o.Tolerance)
	case o.MaxHealthyRTT < 0:
		return invalid("Gradient2.MaxHealthyRTT must not be negative, got %v", o.MaxHealthyRTT)
	}
	return nil
}
