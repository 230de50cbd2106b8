package brokers

import (
	"strings"

	"github.com/IBM/sarama"
	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

// kafkaTopics is Kafka with a consumer group. The messages of a key go to one
// partition.
func (b *Broker) kafkaTopics(url, key string) error {
	addresses := strings.Split(url, ",")
	marshaler := kafka.NewWithPartitioningMarshaler(func(_ string, m *message.Message) (string, error) {
		return m.Metadata.Get(key), nil
	})
	pub, err := kafka.NewPublisher(kafka.PublisherConfig{Brokers: addresses, Marshaler: marshaler}, watermill.NopLogger{})
	if err != nil {
		return unreachable("Kafka broker", url, err)
	}
	b.Publisher = pub
	config := kafka.DefaultSaramaSubscriberConfig()
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{
		Brokers:                addresses,
		Unmarshaler:            marshaler,
		OverwriteSaramaConfig:  config,
		ConsumerGroup:          "headrace",
		InitializeTopicDetails: &sarama.TopicDetail{NumPartitions: 4, ReplicationFactor: 1},
	}, watermill.NopLogger{})
	if err != nil {
		return err
	}
	b.Subscriber = sub
	return nil
}
