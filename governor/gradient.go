package governor

import "time"

// Constants of the formula that are no options.
const (
	leastGradient = 0.5
	mostGradient  = 1.0
	usedPart      = 2 // the guard: less than 1/2 of the limit is in use
)

// gradient is a running Gradient2. Its floating-point operations are those of
// the reference in the same order. A product is converted before it is added
// to something, so that no compiler fuses the two and rounds once.
type gradient struct {
	min, max  float64
	queue     func(limit int) int
	smoothing float64
	tolerance float64
	healthy   float64 // 0 for no bound
	backoff   bool
	// An RTT below this counts as this. It is 1 ns: an RTT of 0 at the first
	// sample would be 0/0 and make the limit 0 for ever. The reference has no
	// such floor, and traces of it are replayed without.
	leastRTT time.Duration

	estimate float64 // the limit as a fraction
	baseline baseline

	last       Window
	long       float64 // baseline that last was compared with
	gradient   float64
	appLimited uint64
}

// newGradient expects checked options. Tests give it unchecked ones.
func newGradient(o Gradient2) *gradient {
	queue := o.QueueFunc
	if queue == nil {
		queue = func(int) int { return o.Queue }
	}
	return &gradient{
		min: float64(o.Min), max: float64(o.Max),
		queue:     queue,
		smoothing: o.Smoothing,
		tolerance: o.Tolerance,
		healthy:   float64(o.MaxHealthyRTT),
		backoff:   o.DropBackoff,
		leastRTT:  1,
		estimate:  float64(o.Initial),
		baseline:  newBaseline(o.LongWindow),
	}
}

// Limit rounds down.
func (g *gradient) Limit() int { return int(g.estimate) }

func (g *gradient) Observe(s Sample) int {
	s.RTT = max(s.RTT, g.leastRTT)
	queue := float64(max(0, g.queue(g.Limit())))
	short := float64(s.RTT)
	long := g.learn(short)
	g.last, g.long = windowOf(s), long
	if float64(s.InFlight) < g.estimate/usedPart {
		g.appLimited++
		return g.Limit()
	}
	g.gradient = g.gradientOf(long, short, s.Dropped)
	target := float64(g.estimate*g.gradient) + queue
	next := float64(g.estimate*(1-g.smoothing)) + float64(target*g.smoothing)
	// Last, and with the minimum outside: it wins over the maximum.
	g.estimate = max(g.min, min(g.max, next))
	return g.Limit()
}

// learn adds an RTT to the baseline and returns the value to compare it with.
// A decay comes after that value, and is seen by the next sample.
func (g *gradient) learn(short float64) float64 {
	if g.healthy > 0 && short > g.healthy {
		return g.baseline.value
	}
	long := g.baseline.add(short)
	if long/short > decayAbove {
		g.baseline.decay()
	}
	return long
}

func (g *gradient) gradientOf(long, short float64, dropped bool) float64 {
	if dropped && g.backoff {
		return leastGradient
	}
	return max(leastGradient, min(mostGradient, float64(g.tolerance*long)/short))
}

func (g *gradient) Reading() Reading {
	return Reading{
		LongRTT:    time.Duration(g.baseline.value),
		Gradient:   g.gradient,
		State:      g.state(),
		AppLimited: g.appLimited,
		Window:     g.last,
	}
}

func (g *gradient) state() State {
	if g.last.Samples == 0 {
		return Steady
	}
	return stateOf(g.long, float64(g.last.RTT), g.tolerance)
}
