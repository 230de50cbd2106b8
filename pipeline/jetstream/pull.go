package jetstream

import (
	"slices"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// What is asked of the server, unless Options.Pull says otherwise.
//
// A server that restarts, or leaves the consumer to another one, may forget a
// request while the connection stays, or get it before JetStream is up. The
// client asks again after two heartbeats without a word, which here is 4 s. The
// client's own defaults, 30 s and half of it, are 30 s of silence.
//
// An idle source costs a message of some hundred bytes each heartbeat. If the
// machine is so busy that one is taken for missing, there are two requests for
// a while, which does no harm: MaxAckPending bounds both together.
const (
	pullExpiry    = 10 * time.Second // also how long the request of a dead process stays
	pullHeartbeat = 2 * time.Second
)

// pull returns the options of the requests for messages of a consumer.
func (o Options) pull(consumer js.Consumer, failed js.ConsumeErrHandler) []js.PullConsumeOpt {
	heartbeat := js.PullHeartbeat(pullHeartbeat)
	for _, option := range o.Pull {
		if expiry, ok := option.(js.PullExpiry); ok { // half of it is allowed at most
			heartbeat = js.PullHeartbeat(min(pullHeartbeat, time.Duration(expiry)/2))
		}
	}
	return slices.Concat(
		[]js.PullConsumeOpt{js.PullExpiry(pullExpiry), heartbeat},
		o.Pull,
		[]js.PullConsumeOpt{js.PullMaxMessages(Window(consumer)), failed},
	)
}
