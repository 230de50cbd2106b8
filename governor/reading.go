package governor

import "time"

// Reading is what an Algorithm shows of itself.
type Reading struct {
	// LongRTT is the baseline: the RTT that the algorithm takes for normal.
	// Zero before the first sample.
	LongRTT time.Duration
	// Gradient is the last one that moved the limit, from 0.5 (shrink) to 1
	// (grow). Zero before the first.
	Gradient float64
	// State compares the last sample or window with the baseline.
	State State
	// AppLimited counts the samples or windows that left the limit alone,
	// because less than half of it was in use.
	AppLimited uint64
	// Window is what was observed last: a window of Windowed, else a sample.
	Window Window
}

// Window is what a stretch of time comes to. A single sample is a window of 1.
type Window struct {
	End      time.Duration // Sample.At of the sample that closed it
	RTT      time.Duration // mean
	InFlight int           // largest
	Dropped  bool          // one was dropped at least
	Samples  int           // zero if there was none yet
}

// State is which of the three states of Gradient2 is present. The formula has
// no such variable; the states describe how the last RTT (times the tolerance)
// stands to the baseline. A tenth either way is steady.
type State uint8

const (
	// Steady: the RTT is near the baseline. The gradient is 0.9 or more.
	Steady State = iota
	// ToLoad: the RTT has left the baseline upwards. The gradient is below 0.9
	// and the limit falls to 4/(1-gradient) with a queue of 4, until the
	// baseline has learnt the new RTT.
	ToLoad
	// ToSteady: the load is over, but the baseline still remembers it. The
	// gradient is 1 and the limit grows; while the baseline is above twice the
	// RTT it falls by 5 % with each sample.
	ToSteady
)

var states = [...]string{"steady", "to load", "to steady"}

// String returns the state in lower-case words.
func (s State) String() string {
	if int(s) >= len(states) {
		return "unknown"
	}
	return states[s]
}

// stateMargin is the part of the baseline by which the RTT may differ from it
// in the steady state.
const stateMargin = 0.1

// stateOf compares a baseline with an RTT.
func stateOf(long, short, tolerance float64) State {
	switch {
	case tolerance*long < (1-stateMargin)*short:
		return ToLoad
	case (1-stateMargin)*long > short:
		return ToSteady
	}
	return Steady
}
