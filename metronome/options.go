package metronome

import (
	"fmt"
	"math"
	"time"
)

// Options says how a metronome beats. The zero value is a disabled metronome.
type Options struct {
	// Interval is the time from one beat to the next. Any positive duration
	// is allowed, also one that does not divide a second. 0 disables the
	// metronome: it yields no beat and ends when its context ends. A negative
	// interval is an error. Defaults to 0.
	Interval time.Duration

	// Align puts the beats on multiples of Interval since the Unix epoch, so
	// that metronomes in several processes beat together. The wall clock is
	// read once, at the start; a later step of the wall clock moves no beat.
	// Without Align the first beat comes one Interval after the start.
	// Defaults to false.
	Align bool

	// Limit ends the sequence after that many beats. Missed beats count, so
	// the last beat has exactly this sequence number. 0 means no limit.
	// Defaults to 0.
	Limit uint64
}

// Validate returns an error that names the field that cannot be used, or nil.
func (o Options) Validate() error {
	if o.Interval < 0 {
		return fmt.Errorf("metronome: Options.Interval is negative: %v", o.Interval)
	}
	return nil
}

// last returns the sequence number of the last beat there can be.
func (o Options) last() uint64 {
	if o.Limit == 0 {
		return math.MaxUint64
	}
	return o.Limit
}
