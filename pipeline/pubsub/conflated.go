package pubsub

import (
	"context"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
)

// conflated is a decorated subscriber.
type conflated struct {
	conflator *Conflator
	sub       message.Subscriber
	close     func() error // once

	mu     sync.Mutex
	closed bool
	open   map[*subscription]bool
}

func newConflated(c *Conflator, sub message.Subscriber) *conflated {
	d := &conflated{conflator: c, sub: sub, open: make(map[*subscription]bool)}
	d.close = sync.OnceValue(d.closeOnce)
	return d
}

// SubscribeInitialize implements message.SubscribeInitializer. It does nothing
// if the decorated subscriber does not.
func (d *conflated) SubscribeInitialize(topic string) error {
	if i, ok := d.sub.(message.SubscribeInitializer); ok {
		return i.SubscribeInitialize(topic)
	}
	return nil
}

// Subscribe implements message.Subscriber. The decorated subscriber does not
// see the end of ctx: its context ends after the last acknowledgement.
func (d *conflated) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if d.isClosed() {
		return nil, ErrClosed // whatever the decorated one says to that
	}
	s, err := newSubscription(&d.conflator.options, topic)
	if err != nil {
		return nil, err
	}
	if err := s.connect(ctx, d.sub); err != nil {
		return nil, err
	}
	ctx, s.stop = context.WithCancel(ctx)
	if !d.add(s) {
		s.release()
		s.stop()
		return nil, ErrClosed
	}
	go func() {
		defer d.remove(s)
		s.run(ctx)
	}()
	return s.out, nil
}

// Close implements message.Subscriber. It hands out what waits, for up to
// DrainTimeout, and then closes the decorated subscriber, whose error it
// returns. What is left behind is logged.
func (d *conflated) Close() error { return d.close() }

func (d *conflated) closeOnce() error {
	d.mu.Lock()
	d.closed = true
	var all []*subscription
	for s := range d.open {
		all = append(all, s)
	}
	d.mu.Unlock()
	for _, s := range all {
		s.stop()
	}
	for _, s := range all {
		<-s.drained
	}
	err := d.sub.Close() // its channels are being drained
	for _, s := range all {
		<-s.ended
	}
	return err
}

func (d *conflated) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// add notes a subscription, unless the subscriber has been closed.
func (d *conflated) add(s *subscription) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.open[s] = true
	d.conflator.add(s)
	return true
}

func (d *conflated) remove(s *subscription) {
	d.mu.Lock()
	delete(d.open, s)
	d.mu.Unlock()
	d.conflator.remove(s)
}
