package pubsub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/pipeline"
)

// routed is a router behind a Conflator, whose handler takes its time.
type routed struct {
	*message.Router
	conflator *Conflator
	*broker
	handled []string
	out     *publisher
	ended   chan error
}

const service = 50*ms + ms/2 // not when a message comes

func startRouter(t *testing.T, window int, o ConflateOptions) *routed {
	t.Helper()
	o.Key = MetadataKey("key")
	r := &routed{broker: newBroker(window), out: &publisher{began: time.Now()}, ended: make(chan error, 1)}
	var err error
	if r.conflator, err = NewConflator(o); err != nil {
		t.Fatal(err)
	}
	if r.Router, err = message.NewRouter(message.RouterConfig{CloseTimeout: 20 * time.Second}, watermill.NopLogger{}); err != nil {
		t.Fatal(err)
	}
	r.AddSubscriberDecorators(r.conflator.Decorate)
	r.AddHandler("shout", "in", r.broker, "out", r.out, r.handle)
	go func() { r.ended <- r.Run(t.Context()) }()
	<-r.Running()
	return r
}

func (r *routed) handle(m *message.Message) ([]*message.Message, error) {
	time.Sleep(service)
	if err := m.Context().Err(); err != nil {
		return nil, err
	}
	if r.out.closed {
		return nil, errors.New("the publisher is closed")
	}
	ctx := m.Context()
	r.handled = append(r.handled, fmt.Sprint(string(m.Payload), " ", message.HandlerNameFromCtx(ctx), " ", ctx.Value(topicKey{})))
	return message.Messages{m.Copy()}, nil
}

func (r *routed) end(t *testing.T, want ...string) {
	t.Helper()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	if r.open() != 0 {
		t.Error("the subscription is open")
	}
	if !slices.Equal(r.handled, want) {
		t.Errorf("handled %q, want %q", r.handled, want)
	}
	if len(r.out.got) != len(want) {
		t.Errorf("published %q", r.out.got)
	}
	if n := len(r.conflator.Stats()); n != 0 {
		t.Errorf("%d topics are open", n)
	}
}

// The router handles one message at a time, of those that a slow handler makes
// wait the latest. The handler sees the values that router and broker put into
// the context, long after the message was acknowledged.
func TestConflatorInRouter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startRouter(t, 1, ConflateOptions{})
		for n := range 100 {
			r.send(numbered("a", n))
			time.Sleep(ms)
		}
		time.Sleep(time.Second)
		if s := r.conflator.Stats()["in"]; len(s) != 1 || s[0].Ledger.Puts != 100 || s[0].Ledger.Done != 3 {
			t.Errorf("stats %+v", s)
		}
		began := time.Now()
		if err := r.Router.Close(); err != nil || time.Since(began) != 0 {
			t.Errorf("the router closed after %v, %v", time.Since(began), err)
		}
		r.end(t, "a 0 shout in", "a 50 shout in", "a 99 shout in")
	})
}

// Drain before Close loses nothing: what waits is handled with a live context
// and published, and acknowledged, and then publisher and router close.
func TestConflatorDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startRouter(t, 5, ConflateOptions{Acknowledge: pipeline.AckOnDone, Window: 5})
		r.send("a 1", "b 1", "c 1")
		time.Sleep(ms)
		if err := r.conflator.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if err := r.Router.Close(); err != nil {
			t.Error(err)
		}
		r.end(t, "a 1 shout in", "b 1 shout in", "c 1 shout in")
		r.check(t, "ack a 1", "ack b 1", "ack c 1")
	})
}

// Close alone drains too, within DrainTimeout. Watermill's own would cancel the
// contexts of what is handled, and close the publisher under it.
func TestConflatorClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startRouter(t, 5, ConflateOptions{Acknowledge: pipeline.AckOnDone, Window: 5})
		r.send("a 1", "b 1", "c 1")
		time.Sleep(ms)
		if err := r.Router.Close(); err != nil {
			t.Error(err)
		}
		r.end(t, "a 1 shout in", "b 1 shout in", "c 1 shout in")
		r.check(t, "ack a 1", "ack b 1", "ack c 1")
	})
}

// With more than can be handled in DrainTimeout the router closes all the same,
// and what was not handled is refused. That it was cancelled is no failure.
func TestConflatorCloseInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startRouter(t, 5, ConflateOptions{
			Acknowledge: pipeline.AckOnDone, Window: 5, DrainTimeout: 120 * ms,
			Attempts: 1, DeadLetter: func(_ context.Context, e Entry, err error) { t.Errorf("%s is dead: %v", e.Key, err) },
		})
		r.send("a 1", "b 1", "c 1", "d 1", "e 1")
		time.Sleep(ms)
		began := time.Now()
		if err := r.Router.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 120*ms {
			t.Errorf("took %v", took)
		}
		time.Sleep(service) // of the handler that was left behind
		r.end(t, "a 1 shout in", "b 1 shout in")
		r.check(t, "ack a 1", "ack b 1", "nack c 1", "nack d 1", "nack e 1")
	})
}

// The end of the context of Drain, and of DrainTimeout, are told with what is
// left.
func TestConflatorDrainInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewConflator(ConflateOptions{Key: MetadataKey("key"), DrainTimeout: 100 * ms})
		if err != nil {
			t.Fatal(err)
		}
		b := newBroker(1)
		sub, err := c.Decorate(b)
		if err != nil {
			t.Fatal(err)
		}
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1", "c 1")
		<-out
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 30*ms)
		defer cancel()
		err = c.Drain(ctx)
		if want := `pubsub: drain of topic "in": context deadline exceeded with 2 waiting and 1 handed out`; err == nil || err.Error() != want || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %s", err, want)
		}
		err = c.Drain(t.Context())
		if want := `pubsub: drain of topic "in": pipeline: entries left behind: 3 waiting, 0 in handlers`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		sub.Close()
		mustBeClosed(t, out)
		if err := c.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A handler that is refused is tried again in the router too, and one that
// stops leaves the others alone.
func TestConflatorHandlerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewConflator(ConflateOptions{Key: MetadataKey("key")})
		if err != nil {
			t.Fatal(err)
		}
		router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
		if err != nil {
			t.Fatal(err)
		}
		router.AddSubscriberDecorators(c.Decorate)
		ch := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, watermill.NopLogger{})
		var got []string
		refuse := 2
		one := router.AddConsumerHandler("one", "in", ch, func(m *message.Message) error { return nil })
		router.AddConsumerHandler("two", "in", ch, func(m *message.Message) error {
			if refuse--; refuse >= 0 {
				return errDown
			}
			got = append(got, string(m.Payload))
			return nil
		})
		ended := make(chan error)
		go func() { ended <- router.Run(t.Context()) }()
		<-router.Running()
		if n := len(c.Stats()["in"]); n != 2 {
			t.Errorf("%d subscriptions", n)
		}
		one.Stop()
		<-one.Stopped()
		if err := ch.Publish("in", newMessage("a 1")); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if want := []string{"a 1"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := router.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
