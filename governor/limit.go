package governor

import "time"

// Limit describes how many pieces of work may be in flight at once. It is a
// configuration: [*Gradient2], [*Windowed] (around another Limit), [Fixed], or
// one of the user's own. It may be shared, since each Start gives a new
// Algorithm.
type Limit interface {
	// Start validates the configuration and returns it running, at its initial
	// limit. The limit stays at or below ceiling; 0 means no ceiling.
	// Errors wrap ErrOptions and name the field.
	Start(ceiling int) (Algorithm, error)
}

// Algorithm is a running limit: observations in, a limit out. It reads no
// clock, holds no lock and is not safe for concurrent use; a [Limiter] takes
// care of both.
type Algorithm interface {
	// Limit returns the present limit.
	Limit() int
	// Observe takes one sample into account and returns the limit after it.
	Observe(Sample) int
	// Reading returns what the limit was computed from.
	Reading() Reading
}

// Sample is one piece of work that has ended.
type Sample struct {
	// At is when it ended, as the time since any fixed moment on a monotonic
	// clock. Only Windowed looks at it.
	At time.Duration
	// RTT is how long it took, without the wait for the permit.
	RTT time.Duration
	// InFlight is how many were in flight when it started, itself included.
	InFlight int
	// Dropped says that it was given up: a timeout, or a refusal for overload.
	Dropped bool
}
