package pubsub

import (
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// hand holds the messages of a topic that have come and are not settled. A
// broker delivers a message again when it is held for too long, to the same
// subscription or to another of its group. Such a copy does not go into the
// cache: there it would replace newer values of its key, count twice in a sum,
// and have its own first delivery acknowledged, which settles both at the
// broker while the value is still to be processed. It is settled together with
// the first.
type hand struct {
	mu   sync.Mutex
	held map[string]*receipt // by UUID
}

func newHand() *hand { return &hand{held: make(map[string]*receipt)} }

// receipt settles a message, and the copies of it that have come since.
type receipt struct {
	hand    *hand
	message *message.Message
	copies  []*message.Message
}

// take returns the delivery of a message, or false for a copy of one in hand.
// Messages without a UUID, and different ones that share it, are no copies.
func (h *hand) take(m *message.Message) (d pipeline.Delivery[*message.Message], first bool) {
	r := &receipt{hand: h, message: m}
	h.mu.Lock()
	defer h.mu.Unlock()
	held := h.held[m.UUID]
	switch {
	case m.UUID == "":
	case held == nil:
		h.held[m.UUID] = r
	case held.message.Equals(m):
		held.copies = append(held.copies, m)
		return d, false
	}
	return pipeline.Delivery[*message.Message]{Value: m, Receipt: r, Bytes: int64(len(m.Payload))}, true
}

// release ends the time in hand, and returns the copies.
func (r *receipt) release() []*message.Message {
	r.hand.mu.Lock()
	defer r.hand.mu.Unlock()
	if r.hand.held[r.message.UUID] == r {
		delete(r.hand.held, r.message.UUID)
	}
	copies := r.copies
	r.copies = nil
	return copies
}

func (r *receipt) Ack() bool {
	for _, m := range r.release() {
		m.Ack()
	}
	return r.message.Ack()
}

func (r *receipt) Nack() bool {
	for _, m := range r.release() {
		m.Nack()
	}
	return r.message.Nack()
}
