package jetstream

import (
	"errors"
	"sync"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// hand has the messages in hand. All sources of a Consume share it, and it
// outlives them, since entries may wait in the cache when their source has let
// go of the input.
//
// The server thinks that a message is lost when it hears nothing for AckWait.
// A timer, which runs only while there are messages in hand, tells it of them.
type hand struct {
	options Options

	mu       sync.Mutex
	messages map[id]*message
	settled  int         // how many messages have left
	timer    *time.Timer // nil until the first message
	beating  bool        // the timer is set, or its function runs
}

func newHand(o Options) *hand {
	return &hand{options: o, messages: make(map[id]*message)}
}

// hold takes a message in hand. It returns nil if it is there already: the
// server delivered it again, because a heartbeat was late or got lost.
func (h *hand) hold(msg js.Msg, id id) *message {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.messages[id]; m != nil {
		m.msg = msg
		return nil
	}
	m := &message{hand: h, id: id, at: time.Now(), msg: msg}
	h.messages[id] = m
	if !h.beating {
		h.beating = true
		h.arm()
	}
	return m
}

func (h *hand) arm() {
	if h.timer == nil {
		h.timer = time.AfterFunc(h.options.Heartbeat, h.beat)
	} else {
		h.timer.Reset(h.options.Heartbeat)
	}
}

// release takes a message out of the hand, for who settles it.
func (h *hand) release(m *message) (js.Msg, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.settled {
		return nil, false
	}
	h.drop(m)
	return m.msg, true
}

func (h *hand) drop(m *message) {
	m.settled = true
	h.settled++
	delete(h.messages, m.id)
}

// beat tells the server of the messages in hand, and gives up those that have
// been there for too long. A message younger than a heartbeat is not worth a
// word: the next one comes before it is two of them old, and AckWait is three
// by default, and never less than two.
func (h *hand) beat() {
	keep, giveUp := h.due(time.Now())
	for _, msg := range keep {
		h.report(msg.InProgress())
	}
	for _, msg := range giveUp {
		h.report(msg.NakWithDelay(h.options.NackDelay))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.beating = len(h.messages) > 0; h.beating {
		h.arm()
	}
}

// due splits the messages that are old enough.
func (h *hand) due(now time.Time) (keep, giveUp []js.Msg) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.messages {
		switch age := now.Sub(m.at); {
		case h.options.HoldLimit > 0 && age >= h.options.HoldLimit:
			h.drop(m)
			m.revoked = true
			giveUp = append(giveUp, m.msg)
		case age >= h.options.Heartbeat:
			keep = append(keep, m.msg)
		}
	}
	return keep, giveUp
}

// report tells of a message that could not be sent. That it has been settled
// meanwhile is no news.
func (h *hand) report(err error) {
	if err != nil && !errors.Is(err, js.ErrMsgAlreadyAckd) {
		h.options.OnError(err)
	}
}
