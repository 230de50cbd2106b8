package governor

import (
	"errors"
	"fmt"
	"time"
)

// ErrOptions is wrapped by every error about what the caller asked for: those of
// New, NewLimiter and Calibrate, and of Limit.Start. The message names the field.
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
	// Reads is the number of entries that a pass reads in the normal state.
	// A rising divisor leaves it alone. Zero means 1.
	Reads int
	// MaxReads is the number of entries that a pass may read. At Base, while
	// latency is low and more entries wait at each pass than it reads, reads per
	// pass rise by one at a time. An asynchronous consumer's latency is low below
	// Low, a pulling one's up to High if no sample was queued; as many samples in
	// a row as a pass has reads must say so. Above High reads fall by one at a
	// time, before the divisor rises. With nothing in flight for two base periods
	// they fall too, each such time.
	//
	// A pass that finds Parallel entries in flight with an asynchronous consumer
	// leaves the extra reads out. A pass hands its reads over at once, so that
	// the last one waits for the others: what is gained ends near Low / service
	// * Parallel reads. Zero and 1 mean Reads, which is none beyond the normal
	// ones.
	MaxReads int
	// Eager lets an idle consumer take an arrival without waiting for a beat: see
	// [Governor.Eager]. It does not change the rate.
	Eager bool
	// Window is the number of samples that make a decision. Zero means 2.
	Window int
	// Signal is what a window of latencies is reduced to. Zero means Mean.
	// A quantile q needs a Window of 1/q or of 1/(1-q), whichever is larger;
	// below that it would be the smallest or the largest latency.
	Signal Signal
	// Parallel is the number of entries that the consumer works on at once.
	// An asynchronous consumer must state it: the brake looks at the
	// Parallel-th oldest entry in flight. A pulling consumer's is its number of
	// workers; it bounds MaxReads (0 sets no bound) and changes nothing else, as
	// the caller says what is queued.
	Parallel int
	// Brake is the age of the Parallel-th oldest entry in flight above which
	// passes wait. Zero means High/2. Pulling consumers have no brake.
	//
	// Work older than 30*High that later work has overtaken is given up and
	// brakes no more. A brake that holds for max(Max*interval, 10*High) lets one
	// entry through as a probe; the waits for further ones double, up to 16 times
	// the first.
	Brake time.Duration
	// History is the number of decisions that Decisions remembers, about 110
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
	setDefault(&o.Reads, 1)
	if o.MaxReads == 0 || o.MaxReads == 1 {
		o.MaxReads = o.Reads
	}
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
	case o.Reads < 1:
		return invalid("Reads must be at least 1, got %d", o.Reads)
	case o.MaxReads < o.Reads:
		return invalid("MaxReads must be at least Reads (%d), got %d", o.Reads, o.MaxReads)
	case o.MaxReads > o.Reads && !asynchronous && o.Parallel > 0 && o.MaxReads > o.Parallel:
		return invalid("MaxReads must not be above the number of pulling workers (%d), got %d", o.Parallel, o.MaxReads)
	case o.Window < 1:
		return invalid("Window must be at least 1, got %d", o.Window)
	case !(o.Signal >= 0 && o.Signal <= 1):
		return invalid("Signal must be from 0 to 1, got %v", o.Signal)
	case o.Window < o.Signal.least():
		return invalid("Signal %v needs a Window of at least %d, got %d", o.Signal, o.Signal.least(), o.Window)
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
