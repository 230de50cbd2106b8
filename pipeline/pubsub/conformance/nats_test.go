package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
)

func TestNATS(t *testing.T) {
	t.Parallel()
	suite(t, jetStream(natsServer(t), 1))
}

// natsServer runs a server with JetStream in this process and returns its URL.
func natsServer(t *testing.T) string {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT,
		JetStream: true, StoreDir: t.TempDir(),
		NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	return s.ClientURL()
}

// jetStream is NATS JetStream with a durable push consumer for each group. The
// server sends window messages before one is acknowledged. With more than one,
// the subscriber gets those behind the first one too, and they stay with it
// until the first is acknowledged, or their AckWait is over.
func jetStream(url string, window int) broker {
	return broker{
		old: true,
		features: tests.Features{
			ConsumerGroups:                      true,
			GuaranteedOrder:                     true,
			GuaranteedOrderWithSingleSubscriber: true,
			Persistent:                          true,
		},
		open: func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			config := nats.JetStreamConfig{DurablePrefix: group}
			pub, err := nats.NewPublisher(nats.PublisherConfig{URL: url, JetStream: config}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			sub, err := nats.NewSubscriber(nats.SubscriberConfig{URL: url, QueueGroupPrefix: group, JetStream: config}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			return pub, provisioned{sub, url, group, window}
		},
	}
}

// provisioned makes the consumer of its group before it subscribes. One that
// Subscribe makes is deleted by the subscription that made it, when that ends,
// and the others of the group get "consumer not found".
type provisioned struct {
	*nats.Subscriber
	url, group string
	window     int
}

func (p provisioned) SubscribeInitialize(topic string) error {
	if err := p.Subscriber.SubscribeInitialize(topic); err != nil {
		return err
	}
	return p.provide(topic)
}

func (p provisioned) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if err := p.provide(topic); err != nil {
		return nil, err
	}
	return p.Subscriber.Subscribe(ctx, topic)
}

// provide makes the consumer if there is none.
func (p provisioned) provide(topic string) error {
	conn, err := natsgo.Connect(p.url)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := conn.JetStream()
	if err != nil {
		return err
	}
	_, err = js.AddConsumer(topic, &natsgo.ConsumerConfig{
		Durable:        p.group,
		DeliverGroup:   p.group,
		DeliverSubject: p.group + "." + topic,
		AckPolicy:      natsgo.AckExplicitPolicy,
		AckWait:        2 * time.Second, // until another gets what a closed one had
		MaxAckPending:  p.window,
	})
	return err
}
