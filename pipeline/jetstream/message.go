package jetstream

import (
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// message is a message in hand: delivered and not settled. It is the receipt
// of its delivery.
type message struct {
	hand *hand
	id   id
	at   time.Time // when it came

	// guarded by hand.mu
	msg     js.Msg // of the last delivery: the one to be acknowledged
	settled bool
	revoked bool
}

// id tells messages apart. The sequence alone would take the first message of
// a stream that was deleted and made anew for an old one.
type id struct {
	sequence uint64
	stored   int64 // ns since 1970
}

func identify(msg js.Msg) (id, error) {
	m, err := msg.Metadata()
	if err != nil {
		return id{}, err
	}
	return id{m.Sequence.Stream, m.Timestamp.UnixNano()}, nil
}

// Ack tells the server that the message is done. It does not wait for the
// server. False means that it was settled or given up before, or that the
// acknowledgement could not be sent: the server then delivers it again.
func (m *message) Ack() bool {
	return m.settle(js.Msg.Ack)
}

// Nack asks the server to deliver the message again after Options.NackDelay.
func (m *message) Nack() bool {
	return m.settle(func(msg js.Msg) error { return msg.NakWithDelay(m.hand.options.NackDelay) })
}

// Revoked reports whether the message was held for longer than
// Options.HoldLimit, so that the server delivers it again.
func (m *message) Revoked() bool {
	m.hand.mu.Lock()
	defer m.hand.mu.Unlock()
	return m.revoked
}

func (m *message) settle(send func(js.Msg) error) bool {
	msg, ok := m.hand.release(m)
	if !ok {
		return false
	}
	if err := send(msg); err != nil {
		m.hand.options.OnError(err)
		return false
	}
	return true
}
