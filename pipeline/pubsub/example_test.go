package pubsub_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
)

// A word is its own key.
func key(word string) string { return word }

func decode(m *message.Message) (string, error) {
	if len(m.Payload) == 0 {
		return "", errors.New("nothing in it")
	}
	return string(m.Payload), nil
}

func encode(e cache.Entry[string, string]) (*message.Message, error) {
	return message.NewMessage(watermill.NewUUID(), []byte(strings.ToUpper(e.Value))), nil
}

// newBroker returns a broker within the process that has one message. Being
// persistent, it sends that to whoever subscribes.
func newBroker(text string) *gochannel.GoChannel {
	broker := gochannel.NewGoChannel(gochannel.Config{
		Persistent:                     true,
		BlockPublishUntilSubscriberAck: true, // keeps the order of what is published
	}, watermill.NopLogger{})
	if err := broker.Publish("in", message.NewMessage("1", []byte(text))); err != nil {
		fmt.Println(err)
	}
	return broker
}

// run runs a pipeline from the broker's topic "in", until a word has been
// processed or a message turned out to be invalid.
func run(broker *gochannel.GoChannel, handler pipeline.Handler[string, string], onInvalid func(error)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p, err := pipeline.New(pipeline.Config[string, string]{Key: key})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Produce(pipeline.Producer[string]{
		Name:   "words",
		Source: pubsub.Subscribe(broker, "in", decode),
		OnInvalid: func(err error) {
			defer cancel()
			onInvalid(err)
		},
	})
	p.Consume(func(ctx context.Context, e cache.Entry[string, string]) error {
		defer cancel()
		return handler(ctx, e)
	})
	if err := p.Run(ctx); err != nil {
		fmt.Println(err)
	}
}

// Words come from one topic of a broker and go to another.
func Example() {
	broker := newBroker("hello")
	defer broker.Close()
	out, err := broker.Subscribe(context.Background(), "out")
	if err != nil {
		fmt.Println(err)
		return
	}
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		m := <-out
		fmt.Println(string(m.Payload))
		m.Ack()
	}()
	run(broker, pubsub.Publish(broker, "out", encode), nil)
	<-printed
	// Output: HELLO
}

func ExampleSubscribe() {
	broker := newBroker("hello")
	defer broker.Close()
	source := pubsub.Subscribe(broker, "in", decode)
	for d, err := range source(context.Background()) {
		fmt.Println(d.Value, err)
		d.Receipt.Ack() // a pipeline does it when the value is in the cache
		break
	}
	// Output: hello <nil>
}

func ExamplePublish() {
	broker := newBroker("hello")
	defer broker.Close()
	handler := pubsub.Publish(broker, "out", encode)
	err := handler(context.Background(), cache.Entry[string, string]{Key: "hello", Value: "hello"})
	fmt.Println(err)
	// Output: <nil>
}

// A message that cannot be decoded is acknowledged and passed over.
func ExampleDecodeError() {
	broker := newBroker("")
	defer broker.Close()
	run(broker, pubsub.Publish(broker, "out", encode), func(err error) {
		var bad *pubsub.DecodeError
		if errors.As(err, &bad) {
			fmt.Println("message", bad.Message.UUID, "of", bad.Topic)
		}
		fmt.Println(err)
	})
	// Output:
	// message 1 of in
	// pubsub: message "1" of topic "in": nothing in it
}
