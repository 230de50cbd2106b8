package pubsub

import (
	"errors"

	"github.com/ThreeDotsLabs/watermill/message"
)

var (
	// ErrClosed is returned by the Subscribe of a subscriber that is closed.
	ErrClosed = errors.New("pubsub: subscriber is closed")

	// ErrNacked is the error of a message that its consumer refused.
	ErrNacked = errors.New("pubsub: message was refused")
)

// Conflate decorates a subscriber: what it hands out is conflated. Messages of
// a key that still waits are merged, by default to the latest, and no more than
// Credit messages are in the hands of the consumer at once.
//
// A Watermill router starts a goroutine for each message that it is handed, so
// the credit is also what bounds those. For a router see Conflator.
//
// Each Subscribe has a cache of its own, and starts Credit + Parallel goroutines
// and at most two more: by Watermill's contract it is a subscriber that starts
// them. All of them end with the channel that it returned. It closes
//
//   - when the decorated subscriber has closed its channel, and all that waits
//     has been acknowledged by the consumer;
//   - after Close, or the end of the context of Subscribe, when all that waits
//     has been acknowledged, or DrainTimeout is over.
//
// From Close on, nothing more goes into the cache. When DrainTimeout is over,
// what waits and what is handed out is refused; with AckOnAdmit, which has
// acknowledged it, it is lost, and logged. Then the decorated subscriber is
// closed, and what it still hands out is refused until its channel closes.
//
// A message that is handed out is a copy, with UUID, metadata and payload, and
// with the values of the context of the original: of the newest one, by
// default, of those that were merged. Its context lives until it is settled, or
// DrainTimeout is over. EntryOf tells of what it was made. Behind the cache
// there is no buffer.
//
// A refused message returns to its place, to be handed out again after a
// back-off. If a newer one of its key has come, they are merged as ever, so
// that by default the newer one wins.
//
// Errors wrap pipeline.ErrConfig and name the field.
func Conflate(sub message.Subscriber, o ConflateOptions) (message.Subscriber, error) {
	c, err := NewConflator(o)
	if err != nil {
		return nil, err
	}
	return c.Decorate(sub)
}
