package pubsub

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ThreeDotsLabs/watermill/message"
)

// broker is a subscriber as hard to please as the hardest of Watermill's. It
// hands out a window of messages that are not settled yet, without a look at
// its context, as the HTTP subscriber does; it closes its channel only when all
// that it has handed out is settled, as AMQP's does; and the context of a
// message ends when that is settled.
type broker struct {
	window  int
	queue   chan *message.Message
	closing chan struct{}
	close   func()
	topics  []string // initialized
	all     sync.WaitGroup

	mu      sync.Mutex
	settled []string
	subs    int // subscriptions that are open
}

func newBroker(window int) *broker {
	b := &broker{window: window, queue: make(chan *message.Message, 1000), closing: make(chan struct{})}
	b.close = sync.OnceFunc(func() { close(b.closing) })
	return b
}

// send makes a message of each text, of the form "key number". The text is its
// UUID too, and the key is metadata.
func (b *broker) send(texts ...string) {
	for _, text := range texts {
		b.queue <- newMessage(text)
	}
}

func newMessage(text string) *message.Message {
	m := message.NewMessage(text, []byte(text))
	q, _ := decode(m)
	m.Metadata.Set("key", q.key)
	return m
}

func (b *broker) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	out := make(chan *message.Message)
	b.count(1)
	b.all.Go(func() {
		defer b.count(-1)
		defer close(out)
		var unsettled sync.WaitGroup
		defer unsettled.Wait()
		tokens := make(chan struct{}, b.window)
		for {
			select {
			case tokens <- struct{}{}:
			case <-ctx.Done():
				return
			case <-b.closing:
				return
			}
			select {
			case m := <-b.queue:
				own, cancel := context.WithCancel(ctx)
				own = context.WithValue(own, uuidKey{}, m.UUID)
				m.SetContext(context.WithValue(own, topicKey{}, topic))
				out <- m
				unsettled.Go(func() {
					b.await(m)
					cancel()
					<-tokens
				})
			case <-ctx.Done():
				return
			case <-b.closing:
				return
			}
		}
	})
	return out, nil
}

// Keys of what the context of a message has.
type (
	topicKey struct{}
	uuidKey  struct{}
)

func (b *broker) await(m *message.Message) {
	how := "ack "
	select {
	case <-m.Acked():
	case <-m.Nacked():
		how = "nack "
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = append(b.settled, how+string(m.Payload))
}

func (b *broker) count(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs += n
}

// open returns how many subscriptions are open, when all is quiet.
func (b *broker) open() int {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.subs
}

// Close returns when all has been taken and settled.
func (b *broker) Close() error {
	b.close()
	b.all.Wait()
	return nil
}

func (b *broker) SubscribeInitialize(topic string) error {
	b.topics = append(b.topics, topic)
	return nil
}

// check expects what has been settled since the last check, in any order: what
// is settled at one instant is noted by goroutines of its own.
func (b *broker) check(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.Sort(b.settled)
	slices.Sort(want)
	if !slices.Equal(b.settled, want) {
		t.Errorf("settled %q, want %q", b.settled, want)
	}
	b.settled = nil
}

// mustConflate decorates a subscriber. The key is metadata by default.
func mustConflate(t *testing.T, sub message.Subscriber, o ConflateOptions) message.Subscriber {
	t.Helper()
	if o.Key == nil {
		o.Key = MetadataKey("key")
	}
	decorated, err := Conflate(sub, o)
	if err != nil {
		t.Fatal(err)
	}
	return decorated
}

func mustSubscribe(t *testing.T, ctx context.Context, sub message.Subscriber) <-chan *message.Message {
	t.Helper()
	out, err := sub.Subscribe(ctx, "in")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mustBe receives a message, which must be there now.
func mustBe(t *testing.T, out <-chan *message.Message, want string) *message.Message {
	t.Helper()
	select {
	case m, ok := <-out:
		if !ok {
			t.Fatalf("the channel is closed, want %s", want)
		}
		if got := string(m.Payload); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		return m
	default:
		t.Fatalf("there is no message, want %s", want)
	}
	return nil
}

// mustNotBe expects that there is no message now.
func mustNotBe(t *testing.T, out <-chan *message.Message) {
	t.Helper()
	select {
	case m, ok := <-out:
		if ok {
			t.Errorf("got %s, want none", m.Payload)
		} else {
			t.Error("the channel is closed")
		}
	default:
	}
}

func mustBeClosed(t *testing.T, out <-chan *message.Message) {
	t.Helper()
	select {
	case m, ok := <-out:
		if ok {
			t.Errorf("got %s, want the end", m.Payload)
		}
	default:
		t.Error("the channel is not closed")
	}
}

func numbered(key string, n int) string { return fmt.Sprint(key, " ", n) }

// wm is short for the values of the cache.
type wm = *message.Message

// newer compares the numbers of two messages.
func newer(waiting, arriving *message.Message) bool {
	w, _ := decode(waiting)
	a, _ := decode(arriving)
	return a.n > w.n
}

// closing closes a subscriber when it has been subscribed to.
func closing(sub message.Subscriber) message.Subscriber { return closer{sub} }

type closer struct{ message.Subscriber }

func (c closer) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	defer c.Close()
	return c.Subscriber.Subscribe(ctx, topic)
}
