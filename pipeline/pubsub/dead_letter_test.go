package pubsub

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// grave is a publisher that keeps messages, or refuses them.
type grave struct {
	messages []*message.Message
	topics   []string
	err      error
}

func (g *grave) Publish(topic string, messages ...*message.Message) error {
	if g.err != nil {
		return g.err
	}
	g.topics = append(g.topics, topic)
	g.messages = append(g.messages, messages...)
	return nil
}

func (g *grave) Close() error { return nil }

func (g *grave) check(t *testing.T, uuid string, metadata message.Metadata) {
	t.Helper()
	if len(g.messages) != 1 || g.topics[0] != "dead" {
		t.Fatalf("%d messages to %q", len(g.messages), g.topics)
	}
	m := g.messages[0]
	if m.UUID != uuid || fmt.Sprint(m.Metadata) != fmt.Sprint(metadata) {
		t.Errorf("got %s, %v, want %s, %v", m.UUID, m.Metadata, uuid, metadata)
	}
	if m.Context().Value(topicKey{}) != "in" {
		t.Error("the values of the context are gone")
	}
}

// A copy of the message goes to the topic, and says why. The one that was
// acknowledged stays as it was.
func TestInvalidTo(t *testing.T) {
	m := newMessage("a x")
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), topicKey{}, "in"))
	m.SetContext(ctx)
	cancel()
	var g grave
	onInvalid := InvalidTo(&g, "dead", nil)
	onInvalid(fmt.Errorf("wrapped: %w", &DecodeError{Topic: "in", Message: m, Err: errors.New("no number")}))
	g.check(t, "a x", message.Metadata{"key": "a", ReasonMetadata: "no number", TopicMetadata: "in"})
	if got := g.messages[0]; got == m || got.Context().Err() != nil {
		t.Error("not a copy whose context lives")
	}
	onInvalid(fmt.Errorf("%w: of an operator", pipeline.ErrInvalid))
	if len(g.messages) != 1 || len(m.Metadata) != 1 {
		t.Errorf("%d messages, metadata %v", len(g.messages), m.Metadata)
	}
}

func TestDeadTo(t *testing.T) {
	var g grave
	bury := DeadTo(&g, "dead", func(e cache.Entry[string, quote]) (*message.Message, error) {
		return &message.Message{UUID: e.Key}, nil // without metadata
	}, nil)
	ctx := context.WithValue(t.Context(), topicKey{}, "in")
	bury(ctx, cache.Entry[string, quote]{Key: "a", Attempts: 4}, errDown)
	g.check(t, "a", message.Metadata{ReasonMetadata: "broker is down", AttemptsMetadata: "4"})
}

// A message that could not be published is told of.
func TestDeadLetterFails(t *testing.T) {
	var got []error
	failed := func(err error) { got = append(got, err) }
	g := grave{err: errDown}
	m := newMessage("a 1")
	dead := cache.Entry[string, quote]{Key: "a", Value: quote{"a", -1}}
	InvalidTo(&g, "dead", failed)(&DecodeError{Message: m, Err: errDown})
	DeadTo(&g, "dead", MessageOf, failed)(t.Context(), Entry{Value: m}, errDown)
	DeadTo(&g, "dead", encode, failed)(t.Context(), dead, errDown)
	for i, want := range []string{`pubsub: publish to "dead": broker is down`, `pubsub: publish to "dead": broker is down`, `pubsub: encode for topic "dead": negative`} {
		if i >= len(got) || got[i].Error() != want {
			t.Errorf("%d: got %v, want %s", i, got, want)
		}
	}
	DeadTo(&g, "dead", encode, nil)(t.Context(), dead, errDown) // is dropped
}
