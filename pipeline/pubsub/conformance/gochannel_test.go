package conformance

import (
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
)

// conflated decorates a subscriber such that nothing is merged. The suite
// closes subscribers while it has messages that it never settles, so the drain
// must be short.
func conflated(t *testing.T, sub message.Subscriber, acknowledge pipeline.Acknowledge) message.Subscriber {
	t.Helper()
	sub, err := pubsub.Conflate(sub, pubsub.ConflateOptions{
		Key:          func(m *message.Message) (string, error) { return m.UUID, nil },
		Acknowledge:  acknowledge,
		DrainTimeout: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// overGoChannel is the suite over Watermill's broker within the process.
func overGoChannel(t *testing.T, acknowledge pipeline.Acknowledge, config gochannel.Config) {
	tests.TestPubSub(
		t,
		tests.Features{ExactlyOnceDelivery: true, RequireSingleInstance: true, ContextPreserved: config.PreserveContext},
		func(t *testing.T) (message.Publisher, message.Subscriber) {
			broker := gochannel.NewGoChannel(config, watermill.NopLogger{})
			return broker, conflated(t, broker, acknowledge)
		},
		nil,
	)
}

func TestGoChannelAckOnAdmit(t *testing.T) {
	overGoChannel(t, pipeline.AckOnAdmit, gochannel.Config{OutputChannelBuffer: 10000, Persistent: true})
}

func TestGoChannelAckOnDone(t *testing.T) {
	overGoChannel(t, pipeline.AckOnDone, gochannel.Config{OutputChannelBuffer: 10000, Persistent: true})
}

// Without a buffer each message is handed over while the decorator takes it.
func TestGoChannelUnbuffered(t *testing.T) {
	overGoChannel(t, pipeline.AckOnDone, gochannel.Config{Persistent: true})
}

// The values of the context of the publisher come through.
func TestGoChannelContextPreserved(t *testing.T) {
	overGoChannel(t, pipeline.AckOnDone, gochannel.Config{OutputChannelBuffer: 10000, Persistent: true, PreserveContext: true})
}
