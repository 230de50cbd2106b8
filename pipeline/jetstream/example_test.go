package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	source "github.com/headrace/headrace/pipeline/jetstream"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// newConsumer starts a server, publishes to a stream, and returns a consumer
// of that.
func newConsumer(texts ...string) (consumer jetstream.Consumer, stop func()) {
	dir, err := os.MkdirTemp("", "jetstream")
	check(err)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	check(err)
	s.Start()
	conn, err := nats.Connect(s.ClientURL())
	check(err)
	js, err := jetstream.New(conn)
	check(err)
	ctx := context.Background()
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "words", Subjects: []string{"words"}})
	check(err)
	for _, text := range texts {
		_, err = js.Publish(ctx, "words", []byte(text))
		check(err)
	}
	consumer, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "example", AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: 100,
	})
	check(err)
	return consumer, func() {
		conn.Close()
		s.Shutdown()
		s.WaitForShutdown()
		os.RemoveAll(dir)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(m jetstream.Msg) (string, error) {
	if len(m.Data()) == 0 {
		return "", errors.New("nothing in it")
	}
	return string(m.Data()), nil
}

// A word belongs to the key of its first letter.
func initial(word string) string { return word[:1] }

// Words are conflated by their first letter, and acknowledged when they have
// been noted.
func Example() {
	consumer, stop := newConsumer("apple", "banana", "avocado", "blueberry", "apricot")
	defer stop()
	p, err := pipeline.New(pipeline.Config[string, string]{Key: initial}) // the latest word stays
	check(err)
	p.Produce(pipeline.Producer[string]{
		Source:      source.Consume(consumer, source.Options{}, decode),
		Acknowledge: pipeline.AckOnDone,
		Window:      source.Window(consumer),
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
	info, err := consumer.Info(context.Background())
	check(err)
	fmt.Println(last, "unacknowledged:", info.NumAckPending)
	// Output: map[a:apricot b:blueberry] unacknowledged: 0
}

func ExampleConsume() {
	consumer, stop := newConsumer("apple")
	defer stop()
	words := source.Consume(consumer, source.Options{}, decode)
	for d, err := range words(context.Background()) {
		fmt.Println(d.Value, d.Sequence, d.Bytes, err)
		d.Receipt.Ack() // a pipeline does it
		break
	}
	// Output: apple 1 5 <nil>
}

func ExampleOptions() {
	consumer, stop := newConsumer("apple")
	defer stop()
	words := source.Consume(consumer, source.Options{
		HoldLimit: 10 * time.Minute, // a handler that hangs loses its message
		NackDelay: time.Millisecond,
		Pull:      []jetstream.PullConsumeOpt{jetstream.PullExpiry(5 * time.Second)},
		OnError:   func(err error) { fmt.Println("mended:", err) },
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

func ExampleWindow() {
	consumer, stop := newConsumer()
	defer stop()
	fmt.Println(source.Window(consumer))
	// Output: 100
}

// A message that cannot be decoded is acknowledged and passed over.
func ExampleDecodeError() {
	consumer, stop := newConsumer("", "apple")
	defer stop()
	p, err := pipeline.New(pipeline.Config[string, string]{Key: initial})
	check(err)
	p.Produce(pipeline.Producer[string]{
		Source: source.Consume(consumer, source.Options{}, decode),
		OnInvalid: func(err error) {
			var bad *source.DecodeError
			if errors.As(err, &bad) {
				fmt.Println("bad message of", bad.Message.Subject())
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
	// bad message of words
	// jetstream: message of subject "words": nothing in it
	// APPLE
}
