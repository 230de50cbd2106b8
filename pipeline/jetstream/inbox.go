package jetstream

import (
	"context"
	"errors"
	"fmt"
	"sync"

	js "github.com/nats-io/nats.go/jetstream"
)

// inbox has the messages in hand that a source has not yielded yet. They are
// taken off the client at once, so that the server is told of them while they
// wait here. There are never more than the consumer's MaxAckPending.
type inbox struct {
	hand  *hand
	token chan struct{} // capacity 1: something has changed

	mu     sync.Mutex
	line   []*message
	err    error // that ended the consumer
	closed bool
}

func newInbox(h *hand) *inbox {
	return &inbox{hand: h, token: make(chan struct{}, 1)}
}

// add is called by the client for each message, one at a time.
func (in *inbox) add(msg js.Msg) {
	id, err := identify(msg)
	if err != nil {
		in.hand.report(err)
		return
	}
	m := in.hand.hold(msg, id)
	if m == nil {
		return
	}
	in.mu.Lock()
	closed := in.closed
	if !closed {
		in.line = append(in.line, m)
	}
	in.mu.Unlock()
	if closed {
		in.giveBack(m)
		return
	}
	in.signal()
}

// fail is called by the client for each error. These are what it stops at; it
// mends the others.
func (in *inbox) fail(_ js.ConsumeContext, err error) {
	if !errors.Is(err, js.ErrConsumerDeleted) && !errors.Is(err, js.ErrBadRequest) && !errors.Is(err, js.ErrConnectionClosed) {
		in.hand.options.OnError(err)
		return
	}
	in.mu.Lock()
	if in.err == nil {
		in.err = fmt.Errorf("jetstream: %w", err)
	}
	in.mu.Unlock()
	in.signal()
}

func (in *inbox) failed() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.err != nil
}

func (in *inbox) signal() {
	select {
	case in.token <- struct{}{}:
	default:
	}
}

// next waits for a message. It returns nil and no error when ctx ends.
func (in *inbox) next(ctx context.Context) (*message, error) {
	for ctx.Err() == nil {
		if m, err := in.take(); m != nil || err != nil {
			return m, err
		}
		select {
		case <-in.token:
		case <-ctx.Done():
		}
	}
	return nil, nil
}

func (in *inbox) take() (*message, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.line) > 0 {
		m := in.line[0]
		in.line[0] = nil
		if in.line = in.line[1:]; len(in.line) == 0 {
			in.line = nil // so that the array of a peak is given back
		}
		if !m.Revoked() {
			return m, nil
		}
	}
	return nil, in.err
}

// close gives back what has not been yielded, and what comes from now on.
func (in *inbox) close() {
	in.mu.Lock()
	line := in.line
	in.line, in.closed = nil, true
	in.mu.Unlock()
	for _, m := range line {
		in.giveBack(m)
	}
}

// giveBack lets the server deliver a message to another source at once.
func (in *inbox) giveBack(m *message) {
	m.settle(js.Msg.Nak)
}
