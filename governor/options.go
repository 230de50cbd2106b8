package governor

import (
	"errors"
	"fmt"
	"time"
)

// ErrOptions is wrapped by every error of New. The message names the field.
var ErrOptions = errors.New("governor: invalid options")

// Options configure a Governor. Only High (and Parallel, for an asynchronous
// consumer) has to be given; every other field has a default.
type Options struct {
	// High is the consumer latency above which the divisor rises.
	// Zero means no governor: Enabled reports false and New refuses.
	High time.Duration
	// Low is the consumer latency below which the divisor of an asynchronous
	// consumer falls. It must be below High. Zero means High/2. With Parallel
	// above 1 a value near 0.7*High can be better: see Limits in the package
	// documentation.
	Low time.Duration
	// Base is the smallest divisor, in beats per pass, and the one to start
	// with. Zero means 10, so that one step is a tenth of the normal period.
	Base int
	// Max is the largest divisor, in beats per pass. Zero means 20*Base.
	Max int
	// Window is the number of samples that make a decision. Zero means 2.
	Window int
	// Parallel is the number of entries that the consumer works on at once.
	// An asynchronous consumer must state it: the brake looks at the
	// Parallel-th oldest entry in flight. A pulling consumer's is its number of
	// workers and changes nothing here, as the caller says what is queued.
	Parallel int
	// Brake is the age of the Parallel-th oldest entry in flight above which
	// passes wait. Zero means High/2. Pulling consumers have no brake.
	//
	// Work older than 30*High that later work has overtaken is given up and
	// brakes no more. A brake that holds for max(Max*interval, 10*High) lets one
	// pass through as a probe; the waits for further ones double, up to 16 times
	// the first.
	Brake time.Duration
	// History is the number of decisions that Decisions remembers, about 100
	// bytes each. Zero means 64.
	History int
	// OnDecision, if set, receives every decision that Decisions would show, in
	// order and one at a time. It runs outside the lock, on the goroutine of
	// whichever call made a decision while no other was being reported, and may
	// call the Governor. It must not block: decisions wait in memory meanwhile.
	// Its panic reaches that call; decisions being reported with it are skipped.
	OnDecision func(Decision)
}

// Enabled reports whether the options ask for a governor. A negative High does,
// so that New gets to refuse it.
func (o Options) Enabled() bool { return o.High != 0 }

// withDefaults returns o with every zero field set to its default.
func (o Options) withDefaults() Options {
	setDefault(&o.Low, o.High/2)
	setDefault(&o.Base, 10)
	setDefault(&o.Max, 20*o.Base)
	setDefault(&o.Window, 2)
	setDefault(&o.Brake, o.High/2)
	setDefault(&o.History, 64)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check expects the defaults to be filled in.
func (o Options) check(interval time.Duration, asynchronous bool) error {
	switch {
	case interval <= 0:
		return invalid("interval must be positive, got %v: a governor needs a metronome", interval)
	case o.High <= 0:
		return invalid("High must be positive, got %v", o.High)
	case o.Low < 0:
		return invalid("Low must not be negative, got %v", o.Low)
	case o.Low >= o.High:
		return invalid("Low must be below High (%v), got %v", o.High, o.Low)
	case o.Base < 1:
		return invalid("Base must be at least 1, got %d", o.Base)
	case o.Max < o.Base:
		return invalid("Max must be at least Base (%d), got %d", o.Base, o.Max)
	case o.Window < 1:
		return invalid("Window must be at least 1, got %d", o.Window)
	case o.Parallel < 0:
		return invalid("Parallel must not be negative, got %d", o.Parallel)
	case asynchronous && o.Parallel == 0:
		return invalid("Parallel must be stated for an asynchronous consumer")
	case o.Brake < 0:
		return invalid("Brake must not be negative, got %v", o.Brake)
	case o.History < 1:
		return invalid("History must be at least 1, got %d", o.History)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
}
