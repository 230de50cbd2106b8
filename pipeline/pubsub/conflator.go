package pubsub

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// Conflator decorates the subscribers of a router, each as Conflate does, and
// drains all of them:
//
//	conflator, err := pubsub.NewConflator(pubsub.ConflateOptions{Key: pubsub.MetadataKey("symbol")})
//	...
//	router.AddSubscriberDecorators(conflator.Decorate)
//
// It is safe for concurrent use.
type Conflator struct {
	options ConflateOptions

	mu   sync.Mutex
	open map[*subscription]bool
}

// NewConflator returns a Conflator. Errors wrap pipeline.ErrConfig and name
// the field.
func NewConflator(o ConflateOptions) (*Conflator, error) {
	o.setDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Conflator{options: o, open: make(map[*subscription]bool)}, nil
}

// Decorate is a message.SubscriberDecorator. Its error is always nil.
func (c *Conflator) Decorate(sub message.Subscriber) (message.Subscriber, error) {
	return newConflated(c, sub), nil
}

// Drain takes no more messages and hands out what waits. The channels close
// when all of it has been acknowledged, so a router ends by itself (Watermill
// logs that as an error), and closes its publishers after the last handler has
// published. Then nothing that was taken is lost. What the broker still holds
// is its own: GoChannel loses that when it closes.
//
// A router that is closed without Drain closes its subscribers, which drain
// too; but it gives up at its CloseTimeout, and a subscriber that is shared
// may be closed while another handler still needs it for acknowledgements.
//
//   - Waits for what has been handed out to be settled.
//   - Returns when all is done, or with an error that tells how many messages
//     are left when ctx ends or DrainTimeout is over. An end of ctx does not
//     end the drain; DrainTimeout does.
func (c *Conflator) Drain(ctx context.Context) error {
	all := c.subscriptions()
	for _, s := range all {
		s.stop()
	}
	var errs []error
	for _, s := range all {
		select {
		case <-s.drained:
		case <-ctx.Done():
			l := s.pipeline.Stats().Ledger
			errs = append(errs, fmt.Errorf("pubsub: drain of topic %q: %w with %d waiting and %d handed out", s.topic, ctx.Err(), l.Waiting, l.Leased))
			continue
		}
		if s.err != nil {
			errs = append(errs, fmt.Errorf("pubsub: drain of topic %q: %w", s.topic, s.err))
		}
	}
	return errors.Join(errs...)
}

// Stats returns the statistics of each open subscription, by topic.
func (c *Conflator) Stats() map[string][]pipeline.Stats {
	all := make(map[string][]pipeline.Stats)
	for _, s := range c.subscriptions() {
		all[s.topic] = append(all[s.topic], s.pipeline.Stats())
	}
	return all
}

func (c *Conflator) subscriptions() []*subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*subscription, 0, len(c.open))
	for s := range c.open {
		all = append(all, s)
	}
	return all
}

func (c *Conflator) add(s *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[s] = true
}

func (c *Conflator) remove(s *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, s)
}
