package pubsub

import (
	"context"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
	"github.com/rs/zerolog"
)

// Entry is a message of Conflate with what there is to know of its making.
type Entry = cache.Entry[string, *message.Message]

// ConflateOptions configures Conflate. Only Key must be set.
type ConflateOptions struct {
	// Key tells which messages may be merged. MetadataKey makes one. A message
	// whose key is an error, or a panic, is invalid: it is acknowledged and
	// passed over.
	Key func(*message.Message) (string, error)

	// Cache configures what happens to a message whose key still waits, and
	// the bounds. The zero value keeps the latest message of every key. With
	// MaxBytes and no SizeOf, the payload is measured.
	Cache cache.Options[string, *message.Message]

	// Acknowledge says when a message of the decorated subscriber is
	// acknowledged. Default pipeline.AckOnAdmit.
	Acknowledge pipeline.Acknowledge

	// Window is how many messages the decorated subscriber hands out before it
	// waits for an acknowledgement. Default 0: unknown. It is looked at with
	// AckOnDone, which refuses 1.
	Window int

	// HoldLimit is how long a message may be unacknowledged until the broker
	// delivers it again. With AckOnDone a warning is logged if messages can
	// wait longer; Cache.MaxAge bounds that. Default 0: no limit.
	HoldLimit time.Duration

	// Parallel is the number of subscriptions of the decorated subscriber that
	// are joined into one. They should share a consumer group. They reorder
	// messages, so more than one needs Cache.Newer or Partitioned. Default 1.
	//
	// Newer compares what arrives with what waits or is being handled. A message
	// that one subscription was late with can so come after a newer one that is
	// done, and then is handed out: a consumer that minds compares versions too.
	// The final message of a key is never lost to that.
	Parallel int

	// Partitioned declares that no two of the Parallel subscriptions get
	// messages of the same key.
	Partitioned bool

	// Credit is how many messages are in the hands of the consumer at most:
	// handed out, and neither acknowledged nor refused. It is also the number
	// of goroutines that wait for that. A Watermill router handles that many
	// at once. Default 1.
	Credit int

	// Limit finds the right part of Credit by itself, as governor.Gradient2
	// does. Nil means all of it.
	Limit governor.Limit

	// Metronome and Governor set a pace, as those of a pipeline do. The zero
	// values set none.
	Metronome metronome.Options
	Governor  governor.Options

	// Attempts is how often a message is handed out, while it is refused,
	// until it goes to DeadLetter, which must be set with it. Default 0:
	// again and again, as Watermill's subscribers do.
	Attempts int

	// Backoff is the time between two attempts. A newer message of the key
	// that arrives meanwhile is merged, and waits for the rest of it.
	Backoff pipeline.Backoff

	// DeadLetter gets what was refused in its last attempt. DeadTo publishes
	// it to a topic. It runs before the messages are acknowledged.
	DeadLetter func(ctx context.Context, entry Entry, err error)

	// OnInvalid gets a *DecodeError for each message without a key. InvalidTo
	// publishes it to a topic. Nil counts and logs them only.
	OnInvalid func(err error)

	// DrainTimeout is how long what waits is still handed out after Close, or
	// after the end of the context of Subscribe. It should be below the
	// CloseTimeout of the router. Default 10 s; a nanosecond hands out nothing more.
	DrainTimeout time.Duration

	// Logger gets the events that the documentation of pipeline lists. The
	// zero value is silent.
	Logger zerolog.Logger
}

func (o *ConflateOptions) setDefaults() {
	setDefault(&o.Parallel, 1)
	setDefault(&o.Credit, 1)
	setDefault(&o.DrainTimeout, 10*time.Second)
	if o.Cache.MaxBytes > 0 && o.Cache.SizeOf == nil {
		o.Cache.SizeOf = func(_ string, m *message.Message) int64 { return int64(len(m.Payload)) }
	}
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// validate expects the defaults to be set. What it does not look at, the
// pipeline does.
func (o *ConflateOptions) validate() error {
	switch {
	case o.Key == nil:
		return invalid("Key must be set: it tells which messages may be merged")
	case o.Credit < 1:
		return invalid("Credit must be at least 1, got %d", o.Credit)
	case o.Attempts < 0:
		return invalid("Attempts must not be negative, got %d", o.Attempts)
	case o.Attempts > 0 && o.DeadLetter == nil:
		return invalid("Attempts needs DeadLetter: without it the message would be lost")
	case o.Window < 0:
		return invalid("Window must not be negative, got %d", o.Window)
	case o.HoldLimit < 0:
		return invalid("HoldLimit must not be negative, got %v", o.HoldLimit)
	case o.Parallel < 1:
		return invalid("Parallel must be at least 1, got %d", o.Parallel)
	case o.Parallel > 1 && o.Cache.Newer == nil && !o.Partitioned:
		return invalid("Parallel subscriptions reorder messages: set Cache.Newer to tell which is newer, or Partitioned if they never share a key")
	case o.Acknowledge > pipeline.AckOnDone:
		return invalid("Acknowledge must be AckOnAdmit or AckOnDone, got %d", o.Acknowledge)
	case o.Acknowledge == pipeline.AckOnDone && o.Window*o.Parallel == 1:
		return invalid("AckOnDone with a Window of 1 can never merge anything: the subscriber hands out a message only when the one before is acknowledged. Use AckOnAdmit, Parallel subscriptions, or a subscriber with a larger Window")
	}
	_, err := pipeline.New(o.config(""))
	return err
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: Conflate: %s", pipeline.ErrConfig, fmt.Sprintf(format, args...))
}
