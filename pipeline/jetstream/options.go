package jetstream

import (
	"errors"
	"fmt"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// Options says how a source holds its messages. The zero value works.
type Options struct {
	// Heartbeat is how often the server is told that a message is still in
	// hand, so that it does not deliver it again. Messages that are settled
	// sooner cost nothing. At most half of the consumer's AckWait. Default a
	// third of it.
	Heartbeat time.Duration

	// HoldLimit is how long a message may be in hand. Then it is given up: the
	// server delivers it again, and its receipt is revoked. It is looked at
	// with each Heartbeat. Default 0: as long as it takes, so that nothing but
	// a crash or a lost connection makes the server deliver a message twice.
	HoldLimit time.Duration

	// NackDelay is after how long the server delivers a refused message again.
	// Default 1 s.
	NackDelay time.Duration

	// Shared says that other processes consume from the consumer at the same
	// time. Then no order holds between messages, whatever their key. Default
	// false: a source that opens waits until what was delivered before and not
	// settled has come again, for AckWait at most, so that the order holds.
	Shared bool

	// Pull has more options for the pull requests, such as the priority group.
	// How many messages are asked for and who gets errors is set by the source.
	// PullHeartbeat is 2 s by default, or half of a shorter PullExpiry: a
	// request that a restarted server has forgotten is made again after two
	// heartbeats, so a source stands still for 4 s at most. PullExpiry, of
	// which the heartbeat is at most half, is 10 s by default.
	Pull []js.PullConsumeOpt

	// OnError gets errors that the source survives: an acknowledgement that
	// could not be sent, and what the client mends by itself, such as a change
	// of the leader. It must not block, and may
	// be called by several goroutines at once. Nil ignores them.
	OnError func(error)
}

// Window returns how many messages may be in hand at once, which is the
// consumer's MaxAckPending, or 0 if it has no bound. All sources of a consumer
// share it.
func Window(consumer js.Consumer) int {
	info := consumer.CachedInfo()
	if info == nil || info.Config.AckPolicy != js.AckExplicitPolicy {
		return 0
	}
	return max(info.Config.MaxAckPending, 0)
}

// forConsumer returns the options with their defaults for a consumer, or what
// is wrong with either.
func (o Options) forConsumer(consumer js.Consumer) (Options, error) {
	info := consumer.CachedInfo()
	if info == nil {
		return o, errors.New("jetstream: the consumer must be a pull consumer that acknowledges")
	}
	fail := func(format string, args ...any) (Options, error) {
		return o, fmt.Errorf("jetstream: consumer %q: %s", info.Name, fmt.Sprintf(format, args...))
	}
	wait := info.Config.AckWait
	if o.Heartbeat == 0 {
		o.Heartbeat = wait / 3
	}
	if o.NackDelay == 0 {
		o.NackDelay = time.Second
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	switch {
	case info.Config.AckPolicy != js.AckExplicitPolicy:
		return fail("AckPolicy must be explicit, is %v", info.Config.AckPolicy)
	case info.Config.MaxAckPending <= 0:
		return fail("MaxAckPending must be positive, since so many messages are held in memory; is %d", info.Config.MaxAckPending)
	case o.Heartbeat <= 0 || o.Heartbeat > wait/2:
		return fail("Heartbeat must be positive and at most half of AckWait (%v), got %v", wait, o.Heartbeat)
	case o.HoldLimit < 0:
		return fail("HoldLimit must not be negative, got %v", o.HoldLimit)
	case o.NackDelay < 0:
		return fail("NackDelay must not be negative, got %v", o.NackDelay)
	}
	return o, nil
}
