package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
	"github.com/rs/zerolog"
)

// topic is where the broker carries the ticks.
const topic = "ticks"

// broker is a Watermill Pub/Sub between the exchange and the pipeline.
type broker struct {
	*gochannel.GoChannel
	log        zerolog.Logger
	subscribed chan struct{} // closed when there is a subscriber
}

// newBroker returns a broker that publishes the next message when the one before
// has been acknowledged. Otherwise a GoChannel starts a goroutine for each
// message, and the last one to arrive need not be the last one published. It
// costs some 12 us a message, JSON included: less than -rate asks for comes in.
func newBroker(log zerolog.Logger) *broker {
	return &broker{
		GoChannel: gochannel.NewGoChannel(
			gochannel.Config{BlockPublishUntilSubscriberAck: true},
			watermill.NewSlogLogger(slog.New(zerolog.NewSlogHandler(log.Level(zerolog.InfoLevel)))),
		),
		log:        log,
		subscribed: make(chan struct{}),
	}
}

// source is the subscriber's side as the source of a pipeline.
func (b *broker) source() pipeline.Source[Tick] { return pubsub.Subscribe(b, topic, decode) }

// Subscribe tells publish that its messages will not go nowhere.
func (b *broker) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	messages, err := b.GoChannel.Subscribe(ctx, topic)
	if err == nil {
		close(b.subscribed)
	}
	return messages, err
}

// publish publishes what an exchange produces, until that is closed.
func (b *broker) publish(x *exchange) {
	select {
	case <-b.subscribed:
	case <-x.closing:
	}
	for t := range x.ticks() {
		if err := b.publishOne(t); err != nil {
			b.log.Error().Err(err).Msg("publish failed")
			return
		}
	}
}

func (b *broker) publishOne(t Tick) error {
	payload, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return b.Publish(topic, message.NewMessage(watermill.NewUUID(), payload))
}

func decode(m *message.Message) (t Tick, err error) {
	err = json.Unmarshal(m.Payload, &t)
	return t, err
}
