package pubsub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

const ms = time.Millisecond

// quote is a message of the form "key number".
type quote struct {
	key string
	n   int
}

func (q quote) Key() string { return q.key }

func decode(m *message.Message) (quote, error) {
	key, number, _ := strings.Cut(string(m.Payload), " ")
	n, err := strconv.Atoi(number)
	return quote{key, n}, err
}

// newChannel returns a broker that keeps the order of messages.
func newChannel(t *testing.T) *gochannel.GoChannel {
	ch := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})
	t.Cleanup(func() { ch.Close() })
	return ch
}

func send(t *testing.T, pub message.Publisher, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := pub.Publish("in", message.NewMessage(watermill.NewUUID(), []byte(text))); err != nil {
			t.Error(err)
		}
	}
}

func newPipeline(t *testing.T, c pipeline.Config[string, quote]) *pipeline.Pipeline[string, quote] {
	t.Helper()
	c.Key = quote.Key
	p, err := pipeline.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A message is acknowledged when it is in the cache, so values meet there.
func TestSubscribeConflates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		p := newPipeline(t, pipeline.Config[string, quote]{Metronome: metronome.Options{Interval: 10 * ms}})
		p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(ch, "in", decode)})
		var got []string
		p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
			got = append(got, fmt.Sprint(e.Value, e.Merged))
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait() // until it has subscribed

		began := time.Now()
		send(t, ch, "a 1", "a 2", "b 1", "a 3", "b 2")
		if time.Since(began) != 0 {
			t.Error("the acknowledgements took time")
		}
		time.Sleep(35 * ms)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []string{"{a 3} 2", "{b 2} 1"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// A message that cannot be decoded is acknowledged, told of and passed over.
func TestSubscribeDecodeError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		p := newPipeline(t, pipeline.Config[string, quote]{})
		var invalid []error
		p.Produce(pipeline.Producer[quote]{
			Name: "feed", Source: Subscribe(ch, "in", decode),
			OnInvalid: func(err error) { invalid = append(invalid, err) },
		})
		var got []quote
		p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
			got = append(got, e.Value)
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		send(t, ch, "a 1", "a x", "b 1") // returns, so all are acknowledged
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []quote{{"a", 1}, {"b", 1}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if len(invalid) != 1 {
			t.Fatalf("told of %v", invalid)
		}
		var bad *DecodeError
		err := invalid[0]
		if !errors.As(err, &bad) || bad.Topic != "in" || string(bad.Message.Payload) != "a x" {
			t.Fatalf("got %#v", err)
		}
		if !errors.Is(err, pipeline.ErrInvalid) || !errors.Is(err, strconv.ErrSyntax) {
			t.Errorf("%v does not wrap its causes", err)
		}
		want := fmt.Sprintf(`pubsub: message %q of topic "in": strconv.Atoi: parsing "x": invalid syntax`, bad.Message.UUID)
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if r := p.Stats().Producers[0]; r.Received != 3 || r.Admitted != 2 || r.Invalid != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

// A panic of decode concerns its message only.
func TestSubscribeDecodePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		p := newPipeline(t, pipeline.Config[string, quote]{})
		var invalid error
		p.Produce(pipeline.Producer[quote]{
			Name: "feed", OnInvalid: func(err error) { invalid = err },
			Source: Subscribe(ch, "in", func(m *message.Message) (quote, error) {
				if string(m.Payload) == "a 2" {
					panic(errRefused)
				}
				return decode(m)
			}),
		})
		var got []quote
		p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
			got = append(got, e.Value)
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		send(t, ch, "a 1", "a 2", "b 3") // returns, so all are acknowledged
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []quote{{"a", 1}, {"b", 3}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		var bad *DecodeError
		var panicked *pipeline.PanicError
		if !errors.As(invalid, &bad) || !errors.As(invalid, &panicked) || !errors.Is(invalid, errRefused) {
			t.Fatalf("got %#v", invalid)
		}
		if string(bad.Message.Payload) != "a 2" || !strings.Contains(string(panicked.Stack), "TestSubscribeDecodePanics") {
			t.Errorf("message %q, stack\n%s", bad.Message.Payload, panicked.Stack)
		}
	})
}

// decode sees all of a message, whose context ends at the acknowledgement. One
// made with Context lives.
func TestSubscribeContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type value struct {
			own, kept context.Context
			metadata  string
		}
		b := newBroker(1)
		p, err := pipeline.New(pipeline.Config[string, value]{Key: func(v value) string { return v.metadata }})
		if err != nil {
			t.Fatal(err)
		}
		p.Produce(pipeline.Producer[value]{Source: Subscribe(b, "in", func(m *message.Message) (value, error) {
			if m.Context().Err() != nil {
				t.Error("the context has ended before decode has")
			}
			return value{m.Context(), Context(m), m.Metadata.Get("key")}, nil
		})})
		ctx, cancel := context.WithCancel(t.Context())
		p.Consume(func(_ context.Context, e cache.Entry[string, value]) error {
			defer cancel()
			time.Sleep(ms)
			if e.Value.own.Err() == nil {
				t.Error("the message was not acknowledged")
			}
			if e.Value.kept.Err() != nil || e.Value.kept.Value(topicKey{}) != "in" || e.Key != "a" {
				t.Errorf("context: %v, value %v, key %q", e.Value.kept.Err(), e.Value.kept.Value(topicKey{}), e.Key)
			}
			return nil
		})
		b.send("a 1")
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}
