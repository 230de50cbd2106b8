// Package brokers opens a publisher and a subscriber of Watermill for a broker
// that is chosen by its name.
package brokers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
)

// Names are the brokers that Open knows.
const Names = "gochannel, nats, redis, kafka, amqp"

// A Broker is a publisher and a subscriber. The subscriber hands out the
// messages of a key in their order.
type Broker struct {
	message.Publisher
	message.Subscriber
	stop func() // what was started for it, or nil

	once       sync.Once
	subscribed chan struct{}

	closing sync.Mutex
}

// Subscribe implements message.Subscriber. It makes the topic if need be.
func (b *Broker) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if i, ok := b.Subscriber.(message.SubscribeInitializer); ok {
		if err := i.SubscribeInitialize(topic); err != nil {
			return nil, err
		}
	}
	messages, err := b.Subscriber.Subscribe(ctx, topic)
	if err == nil {
		b.once.Do(func() { close(b.subscribed) })
	}
	return messages, err
}

// Subscribed is closed when there is a subscription. Some brokers lose what is
// published before.
func (b *Broker) Subscribed() <-chan struct{} { return b.subscribed }

// Close closes both. The router does so, and who has opened the broker: some
// publishers do not bear that at the same time.
func (b *Broker) Close() (err error) {
	b.closing.Lock()
	defer b.closing.Unlock()
	if b.Subscriber != nil {
		err = b.Subscriber.Close()
	}
	if b.Publisher != nil {
		err = errors.Join(err, b.Publisher.Close())
	}
	if b.stop != nil {
		b.stop()
	}
	return err
}

// Open connects to a broker. Messages that have the same metadata of the name
// key keep their order. With an empty URL the server is looked for on this
// machine, at its usual port; a gochannel and a nats run in this process.
func Open(name, at, key string) (*Broker, error) {
	b := &Broker{subscribed: make(chan struct{})}
	if err := b.open(name, at, key); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Broker) open(name, at, key string) error {
	switch name {
	case "gochannel":
		return b.goChannel()
	case "nats":
		return b.jetStream(at)
	case "redis":
		return b.redisStreams(cmp.Or(at, "redis://127.0.0.1:6379"))
	case "kafka":
		return b.kafkaTopics(cmp.Or(at, "127.0.0.1:9092"), key)
	case "amqp":
		return b.rabbitMQ(cmp.Or(at, "amqp://guest:guest@127.0.0.1:5672/"))
	}
	return fmt.Errorf("no pubsub %q: it must be one of %s", name, Names)
}

// unreachable says what to do about a server that is not there.
func unreachable(server, at string, err error) error {
	if u, _ := url.Parse(at); u != nil {
		at = u.Redacted()
	}
	return fmt.Errorf("no %s at %s: %w (is it running? -url says where it is)", server, at, err)
}
