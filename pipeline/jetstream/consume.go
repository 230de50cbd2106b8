package jetstream

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"time"

	"github.com/headrace/headrace/pipeline"
	js "github.com/nats-io/nats.go/jetstream"
)

// patience is how long a source waits for an answer of the server: at the end
// it does so twice, which is well within the default of pipeline.Config.Grace.
const patience = time.Second

// Consume is a source of the messages of a pull consumer, decoded. The
// consumer must acknowledge explicitly and have a MaxAckPending, which is how
// many messages are in hand at most.
//
// A delivery has the message's sequence in the stream and the size of its
// payload. A message that decode refuses, or panics on, is acknowledged and
// passed over: the producer's OnInvalid gets a *DecodeError.
//
// The source ends with an error when the consumer is deleted or the connection
// closed. The connection stays the caller's, and must stay open until
// pipeline.Run has returned.
func Consume[T any](consumer js.Consumer, o Options, decode func(js.Msg) (T, error)) pipeline.Source[T] {
	o, err := o.forConsumer(consumer)
	hand := newHand(o)
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[T], error] {
		return func(yield func(pipeline.Delivery[T], error) bool) {
			if err != nil {
				yield(pipeline.Delivery[T]{}, err)
				return
			}
			in := newInbox(hand)
			stop, err := in.open(ctx, consumer)
			if err != nil {
				yield(pipeline.Delivery[T]{}, err)
				return
			}
			defer stop()
			for {
				m, err := in.next(ctx)
				if err != nil {
					yield(pipeline.Delivery[T]{}, err)
				}
				if m == nil || !yield(deliver(m, decode)) {
					return
				}
			}
		}
	}
}

// open begins to consume, and returns what ends it.
func (in *inbox) open(ctx context.Context, consumer js.Consumer) (stop func(), err error) {
	all, err := in.hand.hasAll(ctx, consumer)
	if err != nil {
		return nil, err
	}
	consuming, err := consumer.Consume(in.add, in.hand.options.pull(consumer, in.fail)...)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	if !all && !in.hand.options.Shared {
		in.resume(ctx, consumer)
	}
	return func() {
		in.close()
		consuming.Drain() // what is under way comes, and goes back
		select {
		case <-consuming.Closed():
		case <-time.After(patience):
		}
		in.flush(consumer)
	}, nil
}

// flush waits until the server has got all acknowledgements. It answers what it
// is asked on a connection behind what it was told there before.
func (in *inbox) flush(consumer js.Consumer) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := consumer.Info(ctx); err != nil {
		in.hand.options.OnError(fmt.Errorf("jetstream: the last acknowledgements may be lost: %w", err))
	}
}

func deliver[T any](m *message, decode func(js.Msg) (T, error)) (pipeline.Delivery[T], error) {
	m.hand.mu.Lock()
	msg := m.msg
	m.hand.mu.Unlock()
	d := pipeline.Delivery[T]{Sequence: m.id.sequence, Bytes: int64(len(msg.Data())), Receipt: m}
	var err error
	if d.Value, err = call(decode, msg); err != nil {
		return d, &DecodeError{Message: msg, Err: err}
	}
	return d, nil
}

// call turns a panic of decode into an error: it concerns this message only.
func call[T any](decode func(js.Msg) (T, error), msg js.Msg) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &pipeline.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return decode(msg)
}
