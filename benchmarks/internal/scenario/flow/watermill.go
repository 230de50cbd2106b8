package flow

import (
	"context"
	"sync"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

// throughWatermill is a Watermill router on a GoChannel: one handler maps and
// filters, another one is the sink. Messages have no UUID, which is optional.
func throughWatermill(ctx context.Context, f *feed, s *sink) error {
	pubSub := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 256}, watermill.NopLogger{})
	defer pubSub.Close()
	router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
	if err != nil {
		return err
	}
	router.AddHandler("price", "quotes", pubSub, "firm", pubSub, func(m *message.Message) ([]*message.Message, error) {
		q := priced(fromPayload(m.Payload))
		if !firm(q) {
			return nil, nil
		}
		return []*message.Message{message.NewMessage("", payload(&q))}, nil
	})
	var mu sync.Mutex              // handlers of several messages may run at once
	left := f.most - (f.most+9)/10 // the filter drops the first of ten
	all := make(chan struct{})
	router.AddConsumerHandler("sink", "firm", pubSub, func(m *message.Message) error {
		q := fromPayload(m.Payload)
		mu.Lock()
		defer mu.Unlock()
		s.take(&q)
		if left--; left == 0 {
			close(all)
		}
		return nil
	})
	ended := make(chan error, 1)
	go func() { ended <- router.Run(ctx) }()
	<-router.Running()
	for q := range f.all() {
		if err := pubSub.Publish("quotes", message.NewMessage("", payload(&q))); err != nil {
			return err
		}
	}
	<-all
	f.arrived()
	if err := router.Close(); err != nil {
		return err
	}
	return <-ended
}
