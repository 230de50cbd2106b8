package brokers

import (
	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp"
)

// rabbitMQ is AMQP with a durable queue for each topic.
func (b *Broker) rabbitMQ(url string) error {
	config := amqp.NewDurablePubSubConfig(url, amqp.GenerateQueueNameTopicNameWithSuffix("headrace"))
	pub, err := amqp.NewPublisher(config, watermill.NopLogger{})
	if err != nil {
		return unreachable("AMQP server", url, err)
	}
	b.Publisher = pub
	sub, err := amqp.NewSubscriber(config, watermill.NopLogger{})
	if err != nil {
		return unreachable("AMQP server", url, err)
	}
	b.Subscriber = sub
	return nil
}
