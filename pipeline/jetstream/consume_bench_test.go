package jetstream

import (
	"context"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// A message from a server in this process, yielded and acknowledged.
func BenchmarkConsume(b *testing.B) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: b.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	stream, err := js.New(conn)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	if _, err := stream.CreateStream(ctx, js.StreamConfig{Name: "quotes", Subjects: []string{"q"}, Storage: js.MemoryStorage}); err != nil {
		b.Fatal(err)
	}
	consumer, err := stream.CreateConsumer(ctx, "quotes", js.ConsumerConfig{AckPolicy: js.AckExplicitPolicy})
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		if _, err := stream.PublishAsync("q", []byte("key 1")); err != nil {
			b.Fatal(err)
		}
	}
	<-stream.PublishAsyncComplete()
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for d, err := range Consume(consumer, Options{}, decode)(ctx) {
		if err != nil {
			b.Fatal(err)
		}
		d.Receipt.Ack()
		if n++; n == b.N {
			break
		}
	}
}
