package pubsub

import (
	"context"
	"iter"
	"math"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// subscription is one Subscribe of a decorated subscriber: a pipeline whose
// source is the channels of the subscriber and whose workers hand out.
type subscription struct {
	topic    string
	hand     *hand
	pipeline *pipeline.Pipeline[string, *message.Message]
	inputs   chan (<-chan *message.Message) // one for each instance of the producer
	all      []<-chan *message.Message      // the same
	out      chan *message.Message

	stop    context.CancelFunc // begins the drain
	cancel  context.CancelFunc // ends the subscriptions of the decorated subscriber
	drained chan struct{}      // closed when nothing more will be handed out
	err     error              // that the drain ended with
	ended   chan struct{}      // closed when out is
}

func newSubscription(o *ConflateOptions, topic string) (*subscription, error) {
	p, err := pipeline.New(o.config(topic))
	if err != nil {
		return nil, err
	}
	s := &subscription{
		topic: topic, hand: newHand(), pipeline: p,
		inputs:  make(chan (<-chan *message.Message), o.Parallel),
		out:     make(chan *message.Message),
		drained: make(chan struct{}), ended: make(chan struct{}),
	}
	p.Produce(pipeline.Producer[*message.Message]{
		Name: topic, Source: s.source(o.Key),
		Acknowledge: o.Acknowledge, Window: o.Window, HoldLimit: o.HoldLimit,
		Parallel: o.Parallel, Partitioned: o.Partitioned,
		OnInvalid: o.OnInvalid,
	})
	p.Consume(s.handOut)
	return s, nil
}

func (o *ConflateOptions) config(topic string) pipeline.Config[string, *message.Message] {
	attempts := o.Attempts
	if attempts == 0 {
		attempts = math.MaxInt
	}
	return pipeline.Config[string, *message.Message]{
		Name: topic, Key: keyOf, Cache: o.Cache,
		Metronome: o.Metronome, Governor: o.Governor, Limit: o.Limit,
		Workers: o.Credit, Attempts: attempts, Backoff: o.Backoff, DeadLetter: o.DeadLetter,
		DrainTimeout: o.DrainTimeout, Logger: o.Logger,
	}
}

// connect subscribes as often as Parallel says.
func (s *subscription) connect(ctx context.Context, sub message.Subscriber) error {
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for range cap(s.inputs) {
		in, err := sub.Subscribe(ctx, s.topic)
		if err != nil {
			s.release()
			return err
		}
		s.inputs <- in
		s.all = append(s.all, in)
	}
	return nil
}

// source yields the messages of one input, with their keys. It leaves what it
// has not taken to release.
func (s *subscription) source(key func(*message.Message) (string, error)) pipeline.Source[*message.Message] {
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[*message.Message], error] {
		in := <-s.inputs
		return func(yield func(pipeline.Delivery[*message.Message], error) bool) {
			for {
				select {
				case m, ok := <-in:
					if !ok {
						return
					}
					if d, first := s.hand.take(m); first && !yield(d, s.keyed(m, key)) {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// keyed notes the key of a message in its context.
func (s *subscription) keyed(m *message.Message, key func(*message.Message) (string, error)) error {
	k, err := call(key, m)
	if err != nil {
		return &DecodeError{Topic: s.topic, Message: m, Err: err}
	}
	m.SetContext(context.WithValue(m.Context(), keyKey{}, k))
	return nil
}

// run runs the pipeline. Then it refuses what the inputs still have, until
// they close: a decorated subscriber cannot close while it is stuck with one.
func (s *subscription) run(ctx context.Context) {
	defer s.stop()
	s.err = s.pipeline.Run(ctx)
	close(s.drained)
	s.release()
	close(s.out)
	close(s.ended)
}

// release ends the subscriptions of the decorated subscriber.
func (s *subscription) release() {
	var all sync.WaitGroup
	for _, in := range s.all {
		all.Go(func() { release(in, s.cancel) })
	}
	all.Wait()
	s.cancel()
}
