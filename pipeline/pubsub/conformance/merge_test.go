package conformance

import (
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
)

// One subscription keeps the order of a key, so nothing stale comes after
// something newer. All that is published meets in the cache while the consumer
// holds its first message.
func TestMergeAckOnAdmit(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, b broker) {
		r := conflate(t, b, pubsub.ConflateOptions{}, total)
		if r.stale > 0 {
			t.Errorf("%d values came after a newer one of their key", r.stale)
		}
		if r.handled > 3*keys || r.absorbed != total {
			t.Errorf("%d values, made of %d; want at most %d, made of %d", r.handled, r.absorbed, 3*keys, total)
		}
	})
}

// Sixteen subscriptions of five keys have something to merge. They reorder, and
// Newer knows nothing of what is done: so a consumer has to look at the version
// too. The newest version of each key arrives for sure.
func TestMergeAckOnDone(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, b broker) {
		if b.sameKeyWaits {
			t.Skip("messages of one key are never in flight together, however many subscriptions there are")
		}
		o := pubsub.ConflateOptions{Acknowledge: pipeline.AckOnDone, Parallel: 16}
		o.Cache.Newer = newer
		r := conflate(t, b, o, total/2)
		if r.handled > total*3/4 {
			t.Errorf("%d values of %d messages, want at least a quarter merged", r.handled, total)
		}
		t.Logf("%d values of %d messages, %d of them stale", r.handled, total, r.stale)
	})
}

func newer(waiting, arriving *message.Message) bool { return version(arriving) > version(waiting) }

// Unless it blocks its publishers, GoChannel reorders: without Newer the value
// that is left at the end is any of the last ones. With it each key's newest is
// handed out, and nothing stale.
func TestMergeReordered(t *testing.T) {
	t.Parallel()
	b := broker{open: func(*testing.T, string) (message.Publisher, message.Subscriber) {
		ch := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: total}, watermill.NopLogger{})
		return ch, ch
	}}
	var o pubsub.ConflateOptions
	o.Cache.Newer = newer
	if r := conflate(t, b, o, total); r.handled > keys+1 || r.stale > 0 {
		t.Errorf("%d values, %d of them stale; want at most %d, the last of each key among them", r.handled, r.stale, keys+1)
	}
}

// One subscription has a message in flight, or one for each partition, so with
// AckOnDone nothing is merged. Order is kept.
func TestNothingMergesInOneSubscription(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, b broker) {
		r := conflate(t, b, pubsub.ConflateOptions{Acknowledge: pipeline.AckOnDone}, 1)
		if r.handled != total || r.absorbed != total || r.stale > 0 {
			t.Errorf("%d values, made of %d, %d of them stale; want %d, in order", r.handled, r.absorbed, r.stale, total)
		}
	})
}
