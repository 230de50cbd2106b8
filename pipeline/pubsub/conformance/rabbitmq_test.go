package conformance

import (
	"net"
	"strconv"
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	amqp091 "github.com/rabbitmq/amqp091-go"
)

func TestRabbitMQ(t *testing.T) {
	t.Parallel()
	suite(t, rabbitMQ(rabbitServer(t)))
}

// rabbitServer returns the URL of a server that runs already.
func rabbitServer(t *testing.T) string {
	url := address("HEADRACE_AMQP", "amqp://guest:guest@127.0.0.1:5672/")
	uri, err := amqp091.ParseURI(url)
	if err != nil {
		t.Fatalf("HEADRACE_AMQP: %v", err)
	}
	need(t, "RabbitMQ", "HEADRACE_AMQP", net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port)),
		"apt-get install rabbitmq-server && rabbitmq-server -detached, and some seconds")
	return url
}

// rabbitMQ is a durable fan-out exchange for each topic, and a queue for each
// topic and group.
func rabbitMQ(url string) broker {
	return broker{
		features: tests.Features{
			ConsumerGroups:                      true,
			GuaranteedOrder:                     true,
			GuaranteedOrderWithSingleSubscriber: true,
			Persistent:                          true,
		},
		open: func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			config := amqp.NewDurablePubSubConfig(url, amqp.GenerateQueueNameTopicNameWithSuffix(group))
			pub, err := amqp.NewPublisher(config, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			sub, err := amqp.NewSubscriber(config, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			return pub, sub
		},
	}
}
