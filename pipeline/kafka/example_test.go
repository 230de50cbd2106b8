package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/kafka"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// newTopic starts a Kafka, produces to a topic, and returns how to consume it.
func newTopic(texts ...string) (client []kgo.Opt, stop func()) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "words"))
	check(err)
	brokers := kgo.SeedBrokers(cluster.ListenAddrs()...)
	producer, err := kgo.NewClient(brokers, kgo.DefaultProduceTopic("words"))
	check(err)
	defer producer.Close()
	for _, text := range texts {
		check(producer.ProduceSync(context.Background(), kgo.StringRecord(text)).FirstErr())
	}
	return []kgo.Opt{brokers, kgo.ConsumerGroup("example"), kgo.ConsumeTopics("words")}, cluster.Close
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(r *kgo.Record) (string, error) {
	if len(r.Value) == 0 {
		return "", errors.New("nothing in it")
	}
	return string(r.Value), nil
}

// A word belongs to the key of its first letter.
func initial(word string) string { return word[:1] }

// Words are conflated by their first letter, and committed when they have been
// noted.
func Example() {
	client, stop := newTopic("apple", "banana", "avocado", "blueberry", "apricot")
	defer stop()
	p, err := pipeline.New(pipeline.Config[string, string]{Key: initial}) // the latest word stays
	check(err)
	p.Produce(pipeline.Producer[string]{
		Source:      kafka.Consume(kafka.Options{Client: client}, decode),
		Acknowledge: pipeline.AckOnDone,
		Window:      1000,
	})
	ctx, cancel := context.WithCancel(context.Background())
	last := map[string]string{}
	p.Consume(func(_ context.Context, e cache.Entry[string, string]) error {
		last[e.Key] = e.Value
		if last["a"] == "apricot" && last["b"] == "blueberry" {
			cancel()
		}
		return nil
	})
	check(p.Run(ctx))
	fmt.Println(last)
	// Output: map[a:apricot b:blueberry]
}

func ExampleConsume() {
	client, stop := newTopic("apple")
	defer stop()
	words := kafka.Consume(kafka.Options{Client: client}, decode)
	for d, err := range words(context.Background()) {
		fmt.Println(d.Value, d.Sequence, d.Bytes, err)
		d.Receipt.Ack() // a pipeline does it
		break
	}
	// Output: apple 0 5 <nil>
}

func ExampleOptions() {
	client, stop := newTopic("apple")
	defer stop()
	words := kafka.Consume(kafka.Options{
		Client:      append(client, kgo.AutoCommitInterval(time.Second)),
		Window:      100,
		Uncommitted: 10_000,
		NackDelay:   time.Millisecond,
		OnError:     func(err error) { fmt.Println("mended:", err) },
	}, decode)
	attempt := 0
	for d, err := range words(context.Background()) {
		if attempt++; attempt == 1 {
			d.Receipt.Nack()
			continue
		}
		fmt.Println(d.Value, err, "in attempt", attempt)
		d.Receipt.Ack()
		break
	}
	// Output: apple <nil> in attempt 2
}

// A record that cannot be decoded is acknowledged and passed over.
func ExampleDecodeError() {
	client, stop := newTopic("", "apple")
	defer stop()
	p, err := pipeline.New(pipeline.Config[string, string]{Key: initial})
	check(err)
	p.Produce(pipeline.Producer[string]{
		Source: kafka.Consume(kafka.Options{Client: client}, decode),
		OnInvalid: func(err error) {
			var bad *kafka.DecodeError
			if errors.As(err, &bad) {
				fmt.Println("bad record at offset", bad.Record.Offset)
			}
			fmt.Println(err)
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	p.Consume(func(_ context.Context, e cache.Entry[string, string]) error {
		fmt.Println(strings.ToUpper(e.Value))
		cancel()
		return nil
	})
	check(p.Run(ctx))
	// Output:
	// bad record at offset 0
	// kafka: record 0 of partition 0 of topic "words": nothing in it
	// APPLE
}
