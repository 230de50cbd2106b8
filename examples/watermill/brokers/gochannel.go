package brokers

import (
	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

// goChannel runs in this process. Without BlockPublishUntilSubscriberAck it
// would reorder messages.
func (b *Broker) goChannel() error {
	ch := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})
	b.Publisher, b.Subscriber = ch, ch
	return nil
}
