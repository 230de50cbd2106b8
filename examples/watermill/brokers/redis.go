package brokers

import (
	"context"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-redisstream/pkg/redisstream"
	"github.com/redis/go-redis/v9"
)

// redisStreams is Redis Streams with a consumer group. Publisher and subscriber
// have a client each, because Close closes it.
func (b *Broker) redisStreams(url string) error {
	o, err := redis.ParseURL(url)
	if err != nil {
		return err
	}
	client := redis.NewClient(o)
	if err := client.Ping(context.Background()).Err(); err != nil {
		client.Close()
		return unreachable("Redis server", url, err)
	}
	pub, err := redisstream.NewPublisher(redisstream.PublisherConfig{Client: client}, watermill.NopLogger{})
	if err != nil {
		return err
	}
	b.Publisher = pub
	sub, err := redisstream.NewSubscriber(redisstream.SubscriberConfig{
		Client:                        redis.NewClient(o),
		ConsumerGroup:                 "headrace",
		DisableIndefiniteInitialBlock: true, // else Close waits for a first message
	}, watermill.NopLogger{})
	if err != nil {
		return err
	}
	b.Subscriber = sub
	return nil
}
