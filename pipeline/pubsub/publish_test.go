package pubsub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

var errDown = errors.New("broker is down")

// publisher refuses the first messages, and keeps what it takes.
type publisher struct {
	refuse int
	began  time.Time
	got    []string
	ctx    context.Context
	closed bool
}

func (p *publisher) Publish(topic string, messages ...*message.Message) error {
	for _, m := range messages {
		p.ctx = m.Context()
		if p.refuse > 0 {
			p.refuse--
			return errDown
		}
		p.got = append(p.got, fmt.Sprint(time.Since(p.began), " ", topic, " ", string(m.Payload)))
	}
	return nil
}

func (p *publisher) Close() error {
	p.closed = true
	return nil
}

func encode(e cache.Entry[string, quote]) (*message.Message, error) {
	if e.Value.n < 0 {
		return nil, errors.New("negative")
	}
	return message.NewMessage(fmt.Sprint(e.Key, e.Value.n), fmt.Appendf(nil, "%s %d", e.Key, e.Value.n)), nil
}

// A failed publish is tried again after the back-off.
func TestPublishRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pub := &publisher{refuse: 2, began: time.Now()}
		p := newPipeline(t, pipeline.Config[string, quote]{Backoff: pipeline.Backoff{First: 10 * ms}})
		p.Produce(pipeline.Producer[quote]{Source: pipeline.FromSeq(slices.Values([]quote{{"a", 1}}))})
		p.Consume(Publish(pub, "out", encode))
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		if want := []string{"30ms out a 1"}; !slices.Equal(pub.got, want) {
			t.Errorf("published %q, want %q", pub.got, want)
		}
		if s := p.Stats(); s.FailedAttempts != 2 || s.Ledger.Done != 1 {
			t.Errorf("failed %d, done %d", s.FailedAttempts, s.Ledger.Done)
		}
	})
}

func TestPublishErrors(t *testing.T) {
	pub := &publisher{refuse: 1}
	handler := Publish(pub, "out", encode)
	type name struct{}
	ctx := context.WithValue(t.Context(), name{}, "value")

	err := handler(ctx, cache.Entry[string, quote]{Key: "a", Value: quote{"a", 1}})
	if want := `pubsub: publish to "out": broker is down`; err == nil || err.Error() != want || !errors.Is(err, errDown) {
		t.Errorf("got %v, want %q", err, want)
	}
	if pub.ctx.Value(name{}) != "value" {
		t.Error("the message does not have the handler's context")
	}
	err = handler(ctx, cache.Entry[string, quote]{Key: "a", Value: quote{"a", -1}})
	if want := `pubsub: encode for topic "out": negative`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	if len(pub.got) != 0 {
		t.Errorf("published %q", pub.got)
	}
}

// From one topic to another, through the cache.
func TestPublishBehindSubscribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		out, err := ch.Subscribe(t.Context(), "out")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		go func() {
			for m := range out {
				got = append(got, string(m.Payload))
				m.Ack()
			}
		}()
		p := newPipeline(t, pipeline.Config[string, quote]{Workers: 2})
		p.Produce(pipeline.Producer[quote]{Source: Subscribe(ch, "in", decode)})
		p.Consume(Publish(ch, "out", encode))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		send(t, ch, "a 1")
		synctest.Wait()
		send(t, ch, "b 2")
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ch.Close()
		synctest.Wait()
		if want := []string{"a 1", "b 2"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
