package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/headrace/headrace/pipeline"
	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
)

func TestNATS(t *testing.T) {
	t.Parallel()
	suite(t, jetStream(natsServer(t), 1))
}

// ackWait is after how long the server delivers a message again, and the client
// gives it up. So long it takes until another gets what a closed one had.
const ackWait = 2 * time.Second

// A message that is held for longer than the server waits comes again. That is
// not a newer one of its key, and what was never processed is not lost when the
// subscriber closes.
func TestNATSHeldTooLong(t *testing.T) {
	t.Parallel()
	b := jetStream(natsServer(t), 1)
	pub, sub := b.open(t, "held")
	defer pub.Close()
	sub = conflated(t, sub, pipeline.AckOnDone)
	if err := sub.(message.SubscribeInitializer).SubscribeInitialize("held"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2", "3"} {
		if err := pub.Publish("held", message.NewMessage(id, nil)); err != nil {
			t.Fatal(err)
		}
	}
	refuse(t, sub, 2*ackWait+ackWait/2)

	other, again := b.open(t, "held")
	defer other.Close()
	again = conflated(t, again, pipeline.AckOnDone)
	defer again.Close()
	out, err := again.Subscribe(t.Context(), "held")
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]bool)
	for end := time.After(20 * time.Second); len(got) < 3; {
		select {
		case m := <-out:
			got[m.UUID] = true
			m.Ack()
		case <-end:
			t.Fatalf("got %v, want 1, 2 and 3", got)
		}
	}
}

// refuse refuses what a subscriber hands out, for a time, and closes it.
func refuse(t *testing.T, sub message.Subscriber, d time.Duration) {
	out, err := sub.Subscribe(t.Context(), "held")
	if err != nil {
		t.Fatal(err)
	}
	for end := time.After(d); ; {
		select {
		case m := <-out:
			m.Nack()
		case <-end:
			if err := sub.Close(); err != nil {
				t.Error(err)
			}
			return
		}
	}
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
			// Without ManualAck the client acknowledges a message that was held for
			// longer than AckWaitTimeout: nobody has settled it, and it is lost.
			config := nats.JetStreamConfig{DurablePrefix: group, SubscribeOptions: []natsgo.SubOpt{natsgo.ManualAck()}}
			pub, err := nats.NewPublisher(nats.PublisherConfig{URL: url, JetStream: config}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			sub, err := nats.NewSubscriber(nats.SubscriberConfig{
				URL: url, QueueGroupPrefix: group, JetStream: config, AckWaitTimeout: ackWait,
			}, watermill.NopLogger{})
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
		AckWait:        ackWait,
		MaxAckPending:  p.window,
	})
	return err
}
