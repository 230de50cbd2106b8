package conformance

import (
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-redisstream/pkg/redisstream"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

func TestMiniredis(t *testing.T) {
	t.Parallel()
	suite(t, redisStreams(miniredis.RunT(t).Addr()))
}

func TestRedis(t *testing.T) {
	t.Parallel()
	suite(t, redisStreams(redisServer(t)))
}

// redisServer returns the address of a server that runs already.
func redisServer(t *testing.T) string {
	server := address("HEADRACE_REDIS", "127.0.0.1:6379")
	need(t, "Redis", "HEADRACE_REDIS", server, "apt-get install redis-server && redis-server --daemonize yes")
	return server
}

// redisStreams is Redis Streams. A message of a consumer that went away is
// claimed by another when it has been idle for MaxIdleTime, a minute by
// default; here it is shorter, and so is the interval at which they look.
func redisStreams(server string) broker {
	return broker{
		old: true,
		features: tests.Features{
			ConsumerGroups:                      true,
			GuaranteedOrder:                     true,
			GuaranteedOrderWithSingleSubscriber: true,
			Persistent:                          true,
		},
		open: func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			pub, err := redisstream.NewPublisher(redisstream.PublisherConfig{Client: redisClient(server)}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			sub, err := redisstream.NewSubscriber(redisstream.SubscriberConfig{
				Client:                        redisClient(server),
				Consumer:                      watermill.NewShortUUID(),
				ConsumerGroup:                 group,
				BlockTime:                     10 * time.Millisecond,
				ClaimInterval:                 200 * time.Millisecond,
				MaxIdleTime:                   time.Second,
				DisableIndefiniteInitialBlock: true,
			}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			return pub, sub
		},
	}
}

// redisClient returns a client of its own: Close of either side closes it.
func redisClient(server string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: server, ReadTimeout: -1, PoolTimeout: time.Minute})
}
