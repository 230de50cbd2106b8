package governor

import (
	"context"
	"errors"
)

// Outcome is what became of a piece of work, as far as the limit is concerned.
type Outcome uint8

const (
	// Ignored work gives its permit back and is no sample. It is right for
	// work that failed fast, since its RTT says nothing about the load.
	Ignored Outcome = iota
	// Succeeded work is a sample of its RTT.
	Succeeded
	// Dropped work was given up because of the load. It is a sample with
	// Sample.Dropped set.
	Dropped
)

var outcomes = [...]string{"ignored", "succeeded", "dropped"}

// String returns the outcome in lower case.
func (o Outcome) String() string {
	if int(o) >= len(outcomes) {
		return "unknown"
	}
	return outcomes[o]
}

// Outcome returns what work that returned err counts as. Nil is Succeeded. A
// timeout is Dropped: context.DeadlineExceeded, or an error with a method
// Timeout that returns true. LimiterOptions.Errors decides on the others.
func (l *Limiter) Outcome(err error) Outcome {
	switch {
	case err == nil:
		return Succeeded
	case timedOut(err):
		return Dropped
	case l.errors == nil:
		return Ignored
	}
	return l.errors(err)
}

func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}
