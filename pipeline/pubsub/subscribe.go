package pubsub

import (
	"context"
	"fmt"
	"iter"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// Subscribe is a source of the messages of a topic, decoded. A message is
// acknowledged when its value is in the cache, so that it conflates with any
// subscriber; what waits in the cache is lost in a crash.
//
// A message that decode refuses is acknowledged too, and passed over: the
// producer counts it, and its OnInvalid gets a *DecodeError with the message.
// decode must not keep the message: its context ends when it is acknowledged.
func Subscribe[T any](sub message.Subscriber, topic string, decode func(*message.Message) (T, error)) pipeline.Source[T] {
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[T], error] {
		return func(yield func(pipeline.Delivery[T], error) bool) {
			ctx, cancel := context.WithCancel(ctx)
			messages, err := sub.Subscribe(ctx, topic)
			if err != nil {
				cancel()
				yield(pipeline.Delivery[T]{}, fmt.Errorf("pubsub: subscribe to %q: %w", topic, err))
				return
			}
			defer release(messages, cancel)
			for m := range messages {
				d := pipeline.Delivery[T]{Receipt: m}
				if d.Value, err = decode(m); err != nil {
					err = &DecodeError{Topic: topic, Message: m, Err: err}
				}
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// release ends a subscription. Some subscribers can close only when every
// message they have at hand has been taken and settled, so it takes and
// refuses them.
func release(messages <-chan *message.Message, cancel context.CancelFunc) {
	cancel()
	for m := range messages {
		m.Nack()
	}
}

// DecodeError is the error of a message that could not be decoded. It wraps
// pipeline.ErrInvalid, so the producer goes on.
type DecodeError struct {
	Topic   string
	Message *message.Message
	Err     error // of the decoder
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("pubsub: message %q of topic %q: %v", e.Message.UUID, e.Topic, e.Err)
}

// Unwrap returns pipeline.ErrInvalid and the decoder's error.
func (e *DecodeError) Unwrap() []error { return []error{pipeline.ErrInvalid, e.Err} }
