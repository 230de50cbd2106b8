package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// broker is an embedded server whose stream is kept in a temporary directory.
type broker struct {
	server    *server.Server
	dir       string
	conn      *nats.Conn
	js        js.JetStream
	consumers []js.Consumer // by partition
}

// startBroker returns a broker with the stream and a consumer for each partition.
func startBroker(ctx context.Context, o options) (b *broker, err error) {
	b = new(broker)
	defer func() {
		if err != nil {
			b.stop()
		}
	}()
	if b.dir, err = os.MkdirTemp("", "scaleout"); err != nil {
		return nil, err
	}
	b.server, err = server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: b.dir, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return nil, err
	}
	b.server.Start()
	if !b.server.ReadyForConnections(10 * time.Second) {
		return nil, errors.New("the broker does not start")
	}
	if b.conn, err = nats.Connect("", nats.InProcessServer(b.server)); err != nil {
		return nil, err
	}
	if b.js, err = js.New(b.conn); err != nil {
		return nil, err
	}
	return b, b.create(ctx, o)
}

// create makes the stream and its consumers.
func (b *broker) create(ctx context.Context, o options) error {
	_, err := b.js.CreateStream(ctx, js.StreamConfig{
		Name: stream, Subjects: []string{stream + ".*.*"}, Storage: js.FileStorage,
	})
	if err != nil {
		return err
	}
	for p := range o.partitions {
		c, err := b.js.CreateConsumer(ctx, stream, js.ConsumerConfig{
			Durable:       consumerName(p),
			FilterSubject: fmt.Sprintf("%s.%d.*", stream, p),
			AckPolicy:     js.AckExplicitPolicy,
			AckWait:       o.ackWait,
			MaxAckPending: o.window(),
		})
		if err != nil {
			return err
		}
		b.consumers = append(b.consumers, c)
	}
	return nil
}

// left returns how many messages are not acknowledged.
func (b *broker) left(ctx context.Context) (int, error) {
	left := 0
	for _, c := range b.consumers {
		info, err := c.Info(ctx)
		if err != nil {
			return 0, err
		}
		left += info.NumAckPending + int(info.NumPending)
	}
	return left, nil
}

func (b *broker) stop() {
	if b.conn != nil {
		b.conn.Close()
	}
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}
