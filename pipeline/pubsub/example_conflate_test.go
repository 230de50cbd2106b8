package pubsub_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
)

// price makes a message of the price of a symbol.
func price(symbol, payload string) *message.Message {
	m := message.NewMessage(watermill.NewUUID(), []byte(payload))
	m.Metadata.Set("symbol", symbol)
	return m
}

// newOrderedBroker returns a broker that keeps the order of messages.
func newOrderedBroker() *gochannel.GoChannel {
	return gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})
}

// publish publishes prices of one symbol.
func publish(broker message.Publisher, symbol string, prices ...string) {
	for _, p := range prices {
		if err := broker.Publish("prices", price(symbol, p)); err != nil {
			fmt.Println(err)
		}
	}
}

func ExampleConflate() {
	broker := newOrderedBroker()
	sub, err := pubsub.Conflate(broker, pubsub.ConflateOptions{Key: pubsub.MetadataKey("symbol")})
	if err != nil {
		fmt.Println(err)
		return
	}
	prices, err := sub.Subscribe(context.Background(), "prices")
	if err != nil {
		fmt.Println(err)
		return
	}
	publish(broker, "HAL", "10")
	m := <-prices // while it is being worked on, more come
	publish(broker, "DEC", "20", "21", "22")
	publish(broker, "HAL", "11", "12")
	fmt.Println(string(m.Payload))
	m.Ack()
	for range 2 {
		m = <-prices
		e, _ := pubsub.EntryOf(m.Context())
		fmt.Println(string(m.Payload), e.Key, e.Merged)
		m.Ack()
	}
	if err := sub.Close(); err != nil {
		fmt.Println(err)
	}
	_, err = sub.Subscribe(context.Background(), "prices")
	fmt.Println(errors.Is(err, pubsub.ErrClosed))
	// Output:
	// 10
	// 22 DEC 2
	// 12 HAL 1
	// true
}

// A router is drained before it is closed, so that nothing is lost of what
// waits.
func ExampleConflator() {
	conflator, err := pubsub.NewConflator(pubsub.ConflateOptions{Key: pubsub.MetadataKey("symbol")})
	if err != nil {
		fmt.Println(err)
		return
	}
	router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
	if err != nil {
		fmt.Println(err)
		return
	}
	router.AddSubscriberDecorators(conflator.Decorate)

	broker := newOrderedBroker()
	begun, free := make(chan bool, 2), make(chan bool)
	router.AddConsumerHandler("print", "prices", broker, func(m *message.Message) error {
		begun <- true
		<-free
		fmt.Println(string(m.Payload))
		return nil
	})
	ended := make(chan error)
	go func() { ended <- router.Run(context.Background()) }()
	<-router.Running()
	publish(broker, "HAL", "10")
	<-begun
	publish(broker, "HAL", "11", "12", "13")
	for topic, stats := range conflator.Stats() {
		fmt.Println(topic, stats[0].Ledger.Merged, "merged")
	}
	close(free)

	fmt.Println("drained:", conflator.Drain(context.Background()))
	fmt.Println("closed:", router.Close(), <-ended)
	// Output:
	// prices 2 merged
	// 10
	// 13
	// drained: <nil>
	// closed: <nil> <nil>
}

// What is refused too often goes to a topic, and so does what has no key.
func ExampleConflateOptions() {
	broker := newOrderedBroker()
	dead, err := broker.Subscribe(context.Background(), "dead")
	if err != nil {
		fmt.Println(err)
		return
	}
	failed := func(err error) { fmt.Println(err) }
	sub, err := pubsub.Conflate(broker, pubsub.ConflateOptions{
		Key:        pubsub.MetadataKey("symbol"),
		Attempts:   2,
		DeadLetter: pubsub.DeadTo(broker, "dead", pubsub.MessageOf, failed),
		OnInvalid:  pubsub.InvalidTo(broker, "dead", failed),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	prices, err := sub.Subscribe(context.Background(), "prices")
	if err != nil {
		fmt.Println(err)
		return
	}
	go publish(broker, "", "no symbol")
	m := <-dead
	fmt.Println(string(m.Payload), "of", m.Metadata[pubsub.TopicMetadata]+":", m.Metadata[pubsub.ReasonMetadata])
	m.Ack()

	publish(broker, "HAL", "10")
	for range 2 {
		(<-prices).Nack()
	}
	m = <-dead
	fmt.Println(string(m.Payload), "after", m.Metadata[pubsub.AttemptsMetadata]+":", m.Metadata[pubsub.ReasonMetadata] == pubsub.ErrNacked.Error())
	m.Ack()
	if err := sub.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// no symbol of prices: pubsub: no metadata "symbol"
	// 10 after 2: true
}

// At least once conflation needs more messages in flight than keys.
func ExampleConflateOptions_acknowledge() {
	_, err := pubsub.Conflate(newOrderedBroker(), pubsub.ConflateOptions{
		Key:         pubsub.MetadataKey("symbol"),
		Acknowledge: pipeline.AckOnDone,
		Window:      1,
	})
	fmt.Println(errors.Is(err, pipeline.ErrConfig))
	// Output: true
}

// What a callback is handed is an Entry. MessageOf is its message.
func ExampleEntry() {
	e := pubsub.Entry{Key: "HAL", Value: price("HAL", "10")}
	m, err := pubsub.MessageOf(e)
	fmt.Println(e.Key, string(m.Payload), err)
	// Output: HAL 10 <nil>
}

// The values of a message's context outlive its acknowledgement.
func ExampleContext() {
	type trace struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), trace{}, "17"))
	m := message.NewMessageWithContext(ctx, "1", nil)
	kept := pubsub.Context(m)
	cancel() // as a subscriber does when the message is acknowledged
	fmt.Println(m.Context().Err(), kept.Err(), kept.Value(trace{}))
	// Output: context canceled <nil> 17
}
