package pubsub

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// Subscribe is a source of the messages of a topic, decoded. Its deliveries
// are acknowledged as Producer.Acknowledge says; the documentation of the
// package has what is lost when.
//
// decode runs on the goroutine of the region, and its time is charged to the
// quotas. It sees UUID, metadata and the values of the context. A message that
// it refuses, or panics on, is acknowledged and passed over: the producer
// counts it, and its OnInvalid gets a *DecodeError with the message.
//
// The message's context ends when it is acknowledged, which with AckOnAdmit is
// before the value is processed. So decode must not keep it, nor the message;
// Context returns one with the same values that may be kept.
//
// A message that the broker delivers again while it is still held, known by its
// UUID, metadata and payload, is not yielded again: it is settled with its first delivery.
func Subscribe[T any](sub message.Subscriber, topic string, decode func(*message.Message) (T, error)) pipeline.Source[T] {
	return pipeline.TryVia(messages(sub, topic), func(_ context.Context, in iter.Seq[*message.Message]) iter.Seq2[T, error] {
		return func(yield func(T, error) bool) {
			for m := range in {
				v, err := call(decode, m)
				if err != nil {
					err = &DecodeError{Topic: topic, Message: m, Err: err}
				}
				if !yield(v, err) {
					return
				}
			}
		}
	})
}

// messages is a source of the messages of a topic.
func messages(sub message.Subscriber, topic string) pipeline.Source[*message.Message] {
	hand := newHand()
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[*message.Message], error] {
		return func(yield func(pipeline.Delivery[*message.Message], error) bool) {
			ctx, cancel := context.WithCancel(ctx)
			in, err := sub.Subscribe(ctx, topic)
			if err != nil {
				cancel()
				yield(pipeline.Delivery[*message.Message]{}, fmt.Errorf("pubsub: subscribe to %q: %w", topic, err))
				return
			}
			defer release(in, cancel)
			for m := range in {
				if d, first := hand.take(m); first && !yield(d, nil) {
					return
				}
			}
		}
	}
}

// call turns a panic of decode into an error: it concerns this message only.
func call[T any](decode func(*message.Message) (T, error), m *message.Message) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &pipeline.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return decode(m)
}

// release ends a subscription. Some subscribers can close only when every
// message they have at hand has been taken and settled, so it takes and
// refuses them.
func release(in <-chan *message.Message, cancel context.CancelFunc) {
	cancel()
	for m := range in {
		m.Nack()
	}
}

// DecodeError is the error of a message that could not be decoded, or that has
// no key. It wraps pipeline.ErrInvalid, so the producer goes on.
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
