package brokers

import (
	"errors"
	"os"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
)

// jetStream is NATS JetStream. Without a url it starts a server.
func (b *Broker) jetStream(url string) (err error) {
	if url == "" {
		if url, b.stop, err = natsServer(); err != nil {
			return err
		}
	}
	config := nats.JetStreamConfig{SubscribeOptions: []natsgo.SubOpt{natsgo.DeliverAll(), natsgo.AckExplicit(), natsgo.ManualAck()}}
	pub, err := nats.NewPublisher(nats.PublisherConfig{URL: url, JetStream: config}, watermill.NopLogger{})
	if err != nil {
		return unreachable("NATS server", url, err)
	}
	b.Publisher = pub
	sub, err := nats.NewSubscriber(nats.SubscriberConfig{URL: url, JetStream: config}, watermill.NopLogger{})
	if err != nil {
		return unreachable("NATS server", url, err)
	}
	b.Subscriber = sub
	return nil
}

// natsServer runs a server in this process until stop is called.
func natsServer() (url string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "headrace-nats-*")
	if err != nil {
		return "", nil, err
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT,
		JetStream: true, StoreDir: dir, NoSigs: true,
	})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.Start()
	stop = func() {
		s.Shutdown()
		s.WaitForShutdown()
		os.RemoveAll(dir)
	}
	if !s.ReadyForConnections(10 * time.Second) {
		stop()
		return "", nil, errors.New("the NATS server in this process does not start")
	}
	return s.ClientURL(), stop, nil
}
