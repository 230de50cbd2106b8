package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
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

	// Op says what a value does to its key: upsert, insert, delete or append.
	// It must be pure. Nil makes every value an Upsert.
	Op func(V) cache.Op

	// Cache configures what happens to a value whose key still waits, and the
	// bounds. The zero value keeps the latest value of every key.
	Cache cache.Options[K, V]

	// Metronome paces the reads. The zero value sets no pace: workers take
	// entries as fast as they can.
	Metronome metronome.Options

	// Governor slows the reads down while the consumer is late, and needs a
	// metronome. With the zero value every beat passes.
	Governor governor.Options

	// Limit bounds the entries in the hands of the consumer: governor.Fixed,
	// or a *governor.Gradient2 that finds the number by itself, over windows
	// of a second unless it is wrapped in a governor.Windowed. What the limit
	// refuses stays in the cache and goes on coalescing. For a pulling
	// consumer Workers bounds the limit, and a batch counts as one.
	// Nil sets no limit.
	Limit governor.Limit

	// LimitErrors says what an entry that failed counts as for the limit. It
	// is not asked about timeouts and panics, which count as Dropped.
	// Nil means governor.Ignored.
	LimitErrors func(error) governor.Outcome

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

	// Quotas bounds what each user and client may take of the producers' time,
	// and of bytes. A producer over its quota is not read from until it is
	// within it again; its values wait at their source, and the wait is no
	// part of any latency. Run reloads the quotas while it runs. Nil sets none.
	Quotas *quota.Quotas

	// User and ClientID are who the consumer works for, whose
	// consumer_byte_rate Quotas bounds. Producers have their own.
	User, ClientID string

	// Bytes is the size of a value that the consumer is charged for. It must
	// be set for consumer_byte_rate to have an effect.
	Bytes func(V) int64

	// Image is how many keys Pipeline.Image knows the last processed value
	// of. Default 0: none.
	Image int

	// DeadLetter gets each entry that failed in its last attempt, with the
	// error of that. It runs on the worker, before the entry's lease ends.
	// Nil counts and logs it only.
	DeadLetter func(ctx context.Context, entry cache.Entry[K, V], err error)

	// DrainTimeout bounds the drain after a cancellation or a failure. Then
	// handlers are cancelled, and what still waits is an error. A drain at
	// the end of input is not bounded. Default 30 s.
	DrainTimeout time.Duration

	// DrainPaced keeps the pace during the drain, so that the consumer is not
	// flooded. Off, what waits is drained as fast as the workers can.
	DrainPaced bool

	// Grace is how long Run waits for handlers that have been cancelled, and
	// then for sources. Those that do not return are named in its error and
	// left behind. Default 5 s.
	Grace time.Duration

	// Logger gets the events that the package documentation lists. The zero
	// value is silent.
	Logger zerolog.Logger
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
	case c.Reads < 1 || c.Reads > most:
		return invalid("Reads must be from 1 to %d, got %d", most, c.Reads)
	case c.Workers < 1 || c.Workers > most:
		return invalid("Workers must be from 1 to %d, got %d", most, c.Workers)
	case c.Attempts < 1:
		return invalid("Attempts must be at least 1, got %d", c.Attempts)
	case c.Backoff.First < 0:
		return invalid("Backoff.First must not be negative, got %v", c.Backoff.First)
	case c.Backoff.Max < c.Backoff.First:
		return invalid("Backoff.Max must not be below Backoff.First (%v), got %v", c.Backoff.First, c.Backoff.Max)
	case c.Image < 0:
		return invalid("Image must not be negative, got %d", c.Image)
	case c.DrainTimeout < 0:
		return invalid("DrainTimeout must not be negative, got %v", c.DrainTimeout)
	case c.Grace < 0:
		return invalid("Grace must not be negative, got %v", c.Grace)
	case c.DrainPaced && c.Metronome.Interval == 0:
		return invalid("DrainPaced needs a metronome: set Metronome.Interval")
	case c.Reads > 1 && c.Metronome.Interval == 0:
		return invalid("Reads needs a metronome: set Metronome.Interval")
	case c.Metronome.Interval == 0 && (c.Metronome.Limit > 0 || c.Metronome.Align):
		return invalid("Metronome.Limit and Align need Metronome.Interval, which is 0")
	case !c.Governor.Enabled() && governorSet(c.Governor):
		return invalid("Governor.High must be set: without it there is no governor")
	case c.Governor.Enabled() && c.Metronome.Interval == 0:
		return invalid("Governor needs a metronome to slow down: set Metronome.Interval")
	}
	if err := c.Metronome.Validate(); err != nil {
		return fmt.Errorf("%w: Metronome: %w", ErrConfig, err)
	}
	return nil
}

// most is the largest number of workers, or of reads or entries at once.
const most = 1 << 20

// governorSet reports whether a governor without High has other fields set,
// which would do nothing.
func governorSet(o governor.Options) bool {
	return o.Low != 0 || o.Base != 0 || o.Max != 0 || o.Window != 0 || o.Parallel != 0 ||
		o.Brake != 0 || o.MaxReads != 0 || o.Eager || o.Signal != 0 || o.History != 0 || o.OnDecision != nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
}
