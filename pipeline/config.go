package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
	"github.com/rs/zerolog"
)

// ErrConfig is wrapped by every error of New, and by those of Run about what
// New could not know. The message names the field.
var ErrConfig = errors.New("pipeline: invalid configuration")

// Config configures a Pipeline. Only Key must be set.
type Config[K comparable, V any] struct {
	// Name stands in logs and errors. Default "pipeline".
	Name string

	// Key tells which values may be merged. It must be pure.
	Key func(V) K

	// Cache configures what happens to a value whose key still waits, and the
	// bounds. The zero value keeps the latest value of every key.
	Cache cache.Options[K, V]

	// Metronome paces the reads. The zero value sets no pace: workers take
	// entries as fast as they can.
	Metronome metronome.Options

	// Governor slows the reads down while the consumer is late, and needs a
	// metronome. With the zero value every beat passes.
	Governor governor.Options

	// Reads is the number of entries that a passing beat releases, at most
	// Workers. Default 1.
	Reads int

	// Workers is the number of goroutines that run the handler. Default 1.
	Workers int

	// Attempts is how often an entry is given to the handler before it is
	// dead. Default 4; 1 means no second try.
	Attempts int

	// Backoff is the time between two attempts.
	Backoff Backoff

	// DeadLetter gets each entry that failed in its last attempt, with the
	// error of that. It runs on the worker, before the entry's lease ends.
	// Nil counts and logs it only.
	DeadLetter func(ctx context.Context, entry cache.Entry[K, V], err error)

	// DrainTimeout bounds the drain after a cancellation or a failure. Then
	// handlers are cancelled, and what still waits is an error. A drain at
	// the end of input is not bounded. Default 30 s.
	DrainTimeout time.Duration

	// Grace is how long Run waits for handlers that have been cancelled, and
	// then for sources. Those that do not return are named in its error and
	// left behind. Default 5 s.
	Grace time.Duration

	// Logger gets the events that the package documentation lists. The zero
	// value is silent.
	Logger zerolog.Logger
}

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

func (c *Config[K, V]) setDefaults() {
	setDefault(&c.Name, "pipeline")
	setDefault(&c.Reads, 1)
	setDefault(&c.Workers, 1)
	setDefault(&c.Attempts, 4)
	c.Backoff.setDefaults()
	setDefault(&c.DrainTimeout, 30*time.Second)
	setDefault(&c.Grace, 5*time.Second)
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// validate expects the defaults to be set.
func (c *Config[K, V]) validate() error {
	switch {
	case c.Key == nil:
		return invalid("Key must be set: it tells which values may be merged")
	case c.Reads < 1:
		return invalid("Reads must be at least 1, got %d", c.Reads)
	case c.Workers < 1:
		return invalid("Workers must be at least 1, got %d", c.Workers)
	case c.Attempts < 1:
		return invalid("Attempts must be at least 1, got %d", c.Attempts)
	case c.Backoff.First < 0:
		return invalid("Backoff.First must not be negative, got %v", c.Backoff.First)
	case c.Backoff.Max < c.Backoff.First:
		return invalid("Backoff.Max must not be below Backoff.First (%v), got %v", c.Backoff.First, c.Backoff.Max)
	case c.DrainTimeout < 0:
		return invalid("DrainTimeout must not be negative, got %v", c.DrainTimeout)
	case c.Grace < 0:
		return invalid("Grace must not be negative, got %v", c.Grace)
	case c.Reads > 1 && c.Metronome.Interval == 0:
		return invalid("Reads needs a metronome: set Metronome.Interval")
	case c.Governor.Enabled() && c.Metronome.Interval == 0:
		return invalid("Governor needs a metronome to slow down: set Metronome.Interval")
	}
	if err := c.Metronome.Validate(); err != nil {
		return fmt.Errorf("%w: Metronome: %w", ErrConfig, err)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
}
