package conformance

import (
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/alicebob/miniredis/v2"
)

// onEach runs a test of merging on each broker.
func onEach(t *testing.T, test func(t *testing.T, b broker)) {
	for name, start := range map[string]func(t *testing.T) broker{
		"GoChannel": func(*testing.T) broker { return goChannel() },
		"Miniredis": func(t *testing.T) broker { return redisStreams(miniredis.RunT(t).Addr()) },
		"Redis":     func(t *testing.T) broker { return redisStreams(redisServer(t)) },
		"Kafka":     func(t *testing.T) broker { return kafkaTopics(kafkaCluster(t)) },
		"NATS":      func(t *testing.T) broker { return jetStream(natsServer(t), 64) },
		"RabbitMQ":  func(t *testing.T) broker { return rabbitMQ(rabbitServer(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t))
		})
	}
}

// goChannel is a broker within the process that keeps the order of messages:
// Publish returns when the message is acknowledged. Each subscription gets all
// of them, so to join several makes no sense.
func goChannel() broker {
	return broker{
		sameKeyWaits: true,
		open: func(*testing.T, string) (message.Publisher, message.Subscriber) {
			ch := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})
			return ch, ch
		},
	}
}
