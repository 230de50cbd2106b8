package pubsub

import (
	"context"
	"fmt"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// Publish is a handler that publishes each entry to a topic. The message has
// the handler's context. A failed publish sends the entry back to be tried
// again. Publish may be called by several workers at once, as Watermill's
// publishers may.
func Publish[K comparable, V any](pub message.Publisher, topic string, encode func(cache.Entry[K, V]) (*message.Message, error)) pipeline.Handler[K, V] {
	return func(ctx context.Context, e cache.Entry[K, V]) error {
		m, err := encode(e)
		if err != nil {
			return fmt.Errorf("pubsub: encode for topic %q: %w", topic, err)
		}
		m.SetContext(ctx)
		if err := pub.Publish(topic, m); err != nil {
			return fmt.Errorf("pubsub: publish to %q: %w", topic, err)
		}
		return nil
	}
}
