package pubsub

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
)

// Metadata that DeadTo and InvalidTo add to what they publish. The first two are
// those of Watermill's PoisonQueue middleware.
const (
	ReasonMetadata   = "reason_poisoned"   // the error
	TopicMetadata    = "topic_poisoned"    // that an invalid message came from
	AttemptsMetadata = "attempts_poisoned" // how often a dead entry was handled
)

// InvalidTo returns an OnInvalid, of a pipeline.Producer or of ConflateOptions,
// that publishes a copy of each message that could not be decoded to a topic,
// with the reason as metadata. It blocks the producer as long as the publisher
// does. Errors without a message, as those of operators, are passed over.
//
// The message is acknowledged whether it could be published or not, so failed
// gets the error of a publish. Nil drops that.
func InvalidTo(pub message.Publisher, topic string, failed func(error)) func(error) {
	return func(err error) {
		var bad *DecodeError
		if !errors.As(err, &bad) {
			return
		}
		m := bad.Message.Copy()
		m.SetContext(Context(bad.Message))
		m.Metadata.Set(TopicMetadata, bad.Topic)
		report(failed, bury(pub, topic, m, bad.Err))
	}
}

// DeadTo returns a DeadLetter, of a pipeline.Config or of ConflateOptions, that
// publishes each entry that was given up to a topic, with the reason and the
// number of attempts as metadata. For the entries of Conflate encode is
// MessageOf. It blocks the worker as long as the publisher does.
//
// The entry is given up, and what it was made of acknowledged, whether it could
// be published or not, so failed gets the error of a publish or of encode. Nil
// drops that.
func DeadTo[K comparable, V any](pub message.Publisher, topic string, encode func(cache.Entry[K, V]) (*message.Message, error), failed func(error)) func(context.Context, cache.Entry[K, V], error) {
	return func(ctx context.Context, e cache.Entry[K, V], reason error) {
		m, err := encode(e)
		if err != nil {
			report(failed, fmt.Errorf("pubsub: encode for topic %q: %w", topic, err))
			return
		}
		m = m.Copy() // which always has metadata
		m.SetContext(ctx)
		m.Metadata.Set(AttemptsMetadata, strconv.Itoa(e.Attempts))
		report(failed, bury(pub, topic, m, reason))
	}
}

// MessageOf returns the message of an entry. It is the encode of DeadTo for
// Conflate.
func MessageOf(e Entry) (*message.Message, error) { return e.Value, nil }

func bury(pub message.Publisher, topic string, m *message.Message, reason error) error {
	m.Metadata.Set(ReasonMetadata, reason.Error())
	if err := pub.Publish(topic, m); err != nil {
		return fmt.Errorf("pubsub: publish to %q: %w", topic, err)
	}
	return nil
}

func report(failed func(error), err error) {
	if err != nil && failed != nil {
		failed(err)
	}
}
