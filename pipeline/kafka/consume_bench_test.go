package kafka

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A record from a Kafka in this process, yielded and acknowledged.
func BenchmarkConsume(b *testing.B) {
	fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "quotes"), kfake.GroupMinSessionTimeout(ms))
	if err != nil {
		b.Fatal(err)
	}
	defer fake.Close()
	producer, err := kgo.NewClient(kgo.SeedBrokers(fake.ListenAddrs()...), kgo.DefaultProduceTopic("quotes"))
	if err != nil {
		b.Fatal(err)
	}
	defer producer.Close()
	for range b.N {
		producer.Produce(context.Background(), kgo.StringRecord("key 1"), nil)
	}
	if err := producer.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for d, err := range Consume(options(fake.ListenAddrs()), decode)(context.Background()) {
		if err != nil {
			b.Fatal(err)
		}
		d.Receipt.Ack()
		if n++; n == b.N {
			break
		}
	}
}
