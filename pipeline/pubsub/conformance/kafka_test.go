package conformance

import (
	"cmp"
	"testing"
	"time"

	"github.com/IBM/sarama"
	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/twmb/franz-go/pkg/kfake"
)

const partitions = 4

func TestKafka(t *testing.T) {
	t.Parallel()
	suite(t, kafkaTopics(kafkaCluster(t)))
}

// kafkaCluster runs a broker in this process and returns its address.
func kafkaCluster(t *testing.T) []string {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(partitions), kfake.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	return cluster.ListenAddrs()
}

// kafkaTopics is Kafka with consumer groups. Messages of one key, or of one
// payload if they have none, go to one partition, so they keep their order.
func kafkaTopics(brokers []string) broker {
	marshaler := kafka.NewWithPartitioningMarshaler(func(_ string, m *message.Message) (string, error) {
		return cmp.Or(m.Metadata.Get(keyName), string(m.Payload)), nil
	})
	return broker{
		old:          true,
		sameKeyWaits: true, // a key has one partition, and that one subscriber
		features: tests.Features{
			ConsumerGroups:  true,
			GuaranteedOrder: true,
			Persistent:      true,
		},
		open: func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			pub, err := kafka.NewPublisher(kafka.PublisherConfig{Brokers: brokers, Marshaler: marshaler}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			config := kafka.DefaultSaramaSubscriberConfig()
			config.Consumer.Offsets.Initial = sarama.OffsetOldest
			config.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond // it is how members learn of a rebalance
			config.Consumer.Group.Rebalance.Timeout = 3 * time.Second
			sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{
				Brokers:                brokers,
				Unmarshaler:            marshaler,
				OverwriteSaramaConfig:  config,
				ConsumerGroup:          group,
				InitializeTopicDetails: &sarama.TopicDetail{NumPartitions: partitions, ReplicationFactor: 1},
				NackResendSleep:        kafka.NoSleep,
			}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			return pub, sub
		},
	}
}
