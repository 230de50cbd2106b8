package kafka

import (
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Options says what a source consumes and how much it holds.
type Options struct {
	// Client configures the client that each source opens: at least
	// kgo.ConsumerGroup and kgo.ConsumeTopics, and kgo.SeedBrokers unless
	// Kafka is on this machine. kgo.AutoCommitInterval (5 s by default) is how
	// often offsets are committed; the source commits as well when it ends or
	// a partition is revoked. Do not set the OnPartitions callbacks, nor how
	// offsets are committed: the source does.
	Client []kgo.Opt

	// Window is how many records may be in hand: yielded or about to be, and
	// not acknowledged. Default 1000.
	Window int

	// Uncommitted is how many records may lie behind the first one that is not
	// acknowledged, in all partitions together, though they are acknowledged
	// themselves: Kafka has but one offset a partition, so a crash delivers
	// them again. More of them let a hot key merge for longer while a cold one
	// waits. A record takes about 100 bytes. At least Window. Default 100
	// times Window.
	Uncommitted int

	// NackDelay is after how long a refused record is yielded again, behind
	// newer ones. Default 1 s.
	NackDelay time.Duration

	// OnError gets errors that the source survives, because the client mends
	// them by itself: a session of the group that was lost, a failed commit, or
	// records that the server has lost. It must not block, and may
	// be called by several goroutines at once. Nil ignores them.
	OnError func(error)
}

func (o Options) withDefaults() (Options, error) {
	if o.Window == 0 {
		o.Window = 1000
	}
	if o.Uncommitted == 0 {
		o.Uncommitted = 100 * o.Window
	}
	if o.NackDelay == 0 {
		o.NackDelay = time.Second
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	switch {
	case o.Window < 0:
		return o, fmt.Errorf("kafka: Window must not be negative, got %d", o.Window)
	case o.Uncommitted < o.Window:
		return o, fmt.Errorf("kafka: Uncommitted must not be less than Window (%d), got %d", o.Window, o.Uncommitted)
	case o.NackDelay < 0:
		return o, fmt.Errorf("kafka: NackDelay must not be negative, got %v", o.NackDelay)
	}
	return o, nil
}
