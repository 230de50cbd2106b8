package conformance

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline/pubsub"
)

// keyName is the metadata that holds the key of a message. The payload is its
// version.
const keyName = "key"

const (
	keys     = 5
	versions = 60 // of each key
	total    = keys * versions
)

func version(m *message.Message) int {
	n, _ := strconv.Atoi(string(m.Payload))
	return n
}

// report is what came out of a conflating subscriber.
type report struct {
	handled  int // messages
	absorbed int // messages that went into them
	stale    int // came after a newer version of their key
}

// conflate publishes all versions of all keys, round by round, to a broker with
// a conflating subscriber. The consumer holds the first message until held
// have arrived, and goes on until it has seen the last version of each key.
func conflate(t *testing.T, b broker, o pubsub.ConflateOptions, held int64) report {
	arrived := make(chan struct{})
	var count atomic.Int64
	o.Key = func(m *message.Message) (string, error) {
		if count.Add(1) == held {
			close(arrived)
		}
		return pubsub.MetadataKey(keyName)(m)
	}
	o.DrainTimeout = time.Nanosecond
	pub, sub := b.open(t, "merge")
	sub, err := pubsub.Conflate(sub, o)
	if err != nil {
		t.Fatal(err)
	}
	topic := watermill.NewShortUUID()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	messages := subscribe(ctx, t, sub, topic)
	published := make(chan error, 1)
	go func() { published <- publish(pub, topic) }()
	r := consume(t, messages, arrived)
	if err := <-published; err != nil {
		t.Error(err)
	}
	if err := pub.Close(); err != nil {
		t.Error(err)
	}
	if err := sub.Close(); err != nil {
		t.Error(err)
	}
	for m := range messages {
		t.Errorf("got version %d of %q after Close", version(m), m.Metadata[keyName])
	}
	return r
}

func subscribe(ctx context.Context, t *testing.T, sub message.Subscriber, topic string) <-chan *message.Message {
	if i, ok := sub.(message.SubscribeInitializer); ok {
		if err := i.SubscribeInitialize(topic); err != nil {
			t.Fatal(err)
		}
	}
	messages, err := sub.Subscribe(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func publish(pub message.Publisher, topic string) error {
	for version := range versions {
		for key := range keys {
			m := message.NewMessage(watermill.NewUUID(), fmt.Append(nil, version+1))
			m.Metadata.Set(keyName, fmt.Sprint(key))
			if err := pub.Publish(topic, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// consume returns when it has seen the last version of every key.
func consume(t *testing.T, messages <-chan *message.Message, arrived <-chan struct{}) (r report) {
	newest := make(map[string]int)
	for done := 0; done < keys; {
		m, ok := <-messages
		if !ok {
			t.Fatalf("the end after %d messages; the newest versions are %v, want %d of %d keys", r.handled, newest, versions, keys)
		}
		if r.handled == 0 {
			<-arrived
		}
		entry, _ := pubsub.EntryOf(m.Context())
		r.handled++
		r.absorbed += 1 + entry.Merged
		key, v := m.Metadata[keyName], version(m)
		switch {
		case v <= newest[key]:
			r.stale++
		case v == versions:
			done++
			fallthrough
		default:
			newest[key] = v
		}
		m.Ack()
	}
	return r
}
