package pubsub

import (
	"context"

	"github.com/ThreeDotsLabs/watermill/message"
)

// handOut is the handler of the pipeline: it hands a message out and waits
// until that is settled. The end of ctx is the end of DrainTimeout; then the
// message is refused, so that its consumer can tell, and so can who watches it,
// and the entry goes back, to be refused with what waits.
func (s *subscription) handOut(ctx context.Context, e Entry) error {
	m := e.Value.Copy()
	lasting, cancel := context.WithCancel(Context(e.Value))
	defer cancel()
	m.SetContext(context.WithValue(lasting, entryKey{}, e))
	select {
	case s.out <- m:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-m.Acked():
		return nil
	case <-m.Nacked():
		return ErrNacked
	case <-ctx.Done():
		if m.Nack() {
			return ctx.Err()
		}
		return nil // it was acknowledged at the same time
	}
}

// entryKey is the key of the Entry in the context of a message handed out.
type entryKey struct{}

// EntryOf returns the entry that a message of Conflate was made of: how many
// messages were merged into it, how long it waited, which attempt it is. The
// context is that of the message, or one made of it. It reports false for
// another's.
func EntryOf(ctx context.Context) (e Entry, ok bool) {
	e, ok = ctx.Value(entryKey{}).(Entry)
	return e, ok
}

// Context returns a context that has the values of a message's context and
// never ends. The message's own one ends when it is acknowledged, which with
// AckOnAdmit is before its value is processed. A value that belongs to the
// broker's work with the message, as the transaction of Watermill's SQL
// subscriber does, must not be used after that.
func Context(m *message.Message) context.Context { return context.WithoutCancel(m.Context()) }
