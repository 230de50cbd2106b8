package conformance

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/headrace/headrace/pipeline"
)

var (
	plain = flag.Bool("plain", false, "run the suite on the brokers' own subscribers: what fails then is not the decorator's fault")
	full  = flag.Bool("full", false, "run the suite with all its messages")
)

// broker is a Pub/Sub to decorate.
type broker struct {
	// features are what its own subscriber claims. Unless old is set, a new
	// group gets no messages that were published before it.
	features tests.Features
	old      bool

	// sameKeyWaits says that a message waits for the acknowledgement of the one
	// before of its key, however many subscriptions there are.
	sameKeyWaits bool

	// open returns a new publisher and a new subscriber, which shares the
	// messages with all subscribers of its group.
	open func(t *testing.T, group string) (message.Publisher, message.Subscriber)
}

// suite runs Watermill's suite on a broker, for both acknowledgements.
func suite(t *testing.T, b broker) {
	b.features.ForceShort = !*full
	if *plain {
		b.suite(t, func(t *testing.T, sub message.Subscriber) message.Subscriber { return sub })
		return
	}
	t.Run("AckOnDone", func(t *testing.T) {
		b.suite(t, func(t *testing.T, sub message.Subscriber) message.Subscriber {
			return conflated(t, sub, pipeline.AckOnDone)
		})
	})
	t.Run("AckOnAdmit", func(t *testing.T) {
		b.suite(t, func(t *testing.T, sub message.Subscriber) message.Subscriber {
			skipLosses(t)
			return conflated(t, sub, pipeline.AckOnAdmit)
		})
	})
}

// skipLosses skips what AckOnAdmit cannot do: in these two tests nobody takes
// what waits when a subscriber closes, and it has been acknowledged.
func skipLosses(t *testing.T) {
	for _, test := range []string{"TestContinueAfterSubscribeClose", "TestContinueAfterErrors"} {
		if strings.Contains(t.Name(), "/"+test+"/") {
			t.Skip("AckOnAdmit loses what still waits when DrainTimeout is over")
		}
	}
}

func (b broker) suite(t *testing.T, decorate func(*testing.T, message.Subscriber) message.Subscriber) {
	open := func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
		pub, sub := b.open(t, group)
		sub = decorate(t, sub)
		t.Cleanup(func() { // the suite forgets some
			if err := errors.Join(sub.Close(), pub.Close()); err != nil {
				t.Error(err)
			}
		})
		return pub, sub
	}
	// One group for all, and a topic for each test: a subscriber goes on where
	// the one before it stopped.
	tests.TestPubSub(t, b.features, func(t *testing.T) (message.Publisher, message.Subscriber) {
		return open(t, "suite")
	}, open)
	if !b.old {
		return
	}
	// Here each subscriber is a group of its own.
	t.Run("OldMessages", func(t *testing.T) {
		t.Parallel()
		c := tests.TestContext{TestID: tests.NewTestID(), Features: b.features}
		c.Features.NewSubscriberReceivesOldMessages = true
		tests.TestNewSubscriberReceivesOldMessages(t, c, func(t *testing.T) (message.Publisher, message.Subscriber) {
			return open(t, watermill.NewShortUUID())
		})
	})
}
