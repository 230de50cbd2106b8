package pubsub

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/pipeline"
)

// Both ways to end a subscription.
var endings = map[string]func(message.Subscriber, context.CancelFunc){
	"Close":   func(sub message.Subscriber, _ context.CancelFunc) { sub.Close() },
	"context": func(_ message.Subscriber, cancel context.CancelFunc) { cancel() },
}

// eachEnding runs a test of the end of a subscription. It returns when the
// ending has: all goroutines must be over then, or the bubble is stuck.
func eachEnding(t *testing.T, f func(t *testing.T, ctx context.Context, end func(message.Subscriber))) {
	for name, ending := range endings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				f(t, ctx, func(sub message.Subscriber) { ending(sub, cancel) })
			})
		})
	}
}

// What waits is handed out before the channel closes, refused ones again, with
// contexts that live, and nothing new is taken.
func TestConflateDrains(t *testing.T) {
	eachEnding(t, func(t *testing.T, ctx context.Context, end func(message.Subscriber)) {
		b := newBroker(2)
		sub := mustConflate(t, b, ConflateOptions{Acknowledge: pipeline.AckOnDone, Window: 2})
		out := mustSubscribe(t, ctx, sub)
		b.send("a 1", "b 1")
		m := <-out
		synctest.Wait()
		go end(sub)
		synctest.Wait()
		b.send("c 1") // too late: it stays in the queue, since the window is full
		if err := m.Context().Err(); err != nil {
			t.Error(err)
		}
		m.Nack()
		var got []string
		for m := range out {
			if err := m.Context().Err(); err != nil {
				t.Error(err)
			}
			got = append(got, string(m.Payload))
			m.Ack()
			synctest.Wait()
		}
		if len(got) != 2 || got[0] != "b 1" || got[1] != "a 1" {
			t.Errorf("drained %q", got)
		}
		b.check(t, "ack a 1", "ack b 1", "nack c 1")
	})
}

// At DrainTimeout what waits, and what is in hands that do not settle it, is
// refused. Contexts of messages end. The channel closes then.
func TestConflateDrainTimeout(t *testing.T) {
	eachEnding(t, func(t *testing.T, ctx context.Context, end func(message.Subscriber)) {
		b := newBroker(10)
		sub := mustConflate(t, b, ConflateOptions{Acknowledge: pipeline.AckOnDone, Window: 10, DrainTimeout: 20 * ms})
		out := mustSubscribe(t, ctx, sub)
		b.send("a 1", "b 1", "c 1")
		m := <-out
		b.check(t)
		began := time.Now()
		go end(sub)
		<-m.Context().Done()
		if _, ok := <-out; ok {
			t.Error("a message was handed out")
		}
		if got := time.Since(began); got != 20*ms {
			t.Errorf("the end took %v, want 20ms", got)
		}
		b.check(t, "nack a 1", "nack b 1", "nack c 1")
		if m.Ack() {
			t.Error("the consumer is not told that its acknowledgement comes too late")
		}
	})
}

// Nobody reads any more, and the cache is full: the end does not hang, and all
// is settled.
func TestConflateNobodyReads(t *testing.T) {
	for name, acknowledge := range map[string]pipeline.Acknowledge{"on admit": pipeline.AckOnAdmit, "on done": pipeline.AckOnDone} {
		t.Run(name, func(t *testing.T) {
			eachEnding(t, func(t *testing.T, ctx context.Context, end func(message.Subscriber)) {
				b := newBroker(9)
				o := ConflateOptions{Acknowledge: acknowledge, Window: 9}
				o.Cache.MaxEntries = 1
				sub := mustConflate(t, b, o)
				out := mustSubscribe(t, ctx, sub)
				b.send("a 1", "b 1", "c 1", "d 1", "e 1")
				synctest.Wait()
				end(sub)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				mustBeClosed(t, out)
				if b.open() != 0 {
					t.Error("the subscription of the broker is open")
				}
			})
		})
	}
}

// The decorator of the router stands between: it is stuck with a message until
// that is taken, so its Close hangs unless its channel is drained.
func TestConflateDrainsItsInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(9)
		stuck, err := message.MessageTransformSubscriberDecorator(func(*message.Message) {})(b)
		if err != nil {
			t.Fatal(err)
		}
		o := ConflateOptions{DrainTimeout: ms}
		o.Cache.MaxEntries = 1
		sub := mustConflate(t, stuck, o)
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1", "c 1", "d 1", "e 1")
		b.check(t, "ack a 1", "ack b 1") // c waits for room, with d behind it, and e
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
		mustBeClosed(t, out)
		b.check(t, "nack c 1", "nack d 1", "nack e 1")
	})
}

// The end of the decorated subscriber drains for as long as it takes.
func TestConflateEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(2)
		sub := mustConflate(t, b, ConflateOptions{DrainTimeout: ms})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1")
		synctest.Wait()
		b.Close()
		time.Sleep(time.Minute)
		(<-out).Ack()
		(<-out).Ack()
		if _, ok := <-out; ok {
			t.Error("the channel is open")
		}
		sub.Close()
	})
}

// Close may be called again, and at the same time. After it there are no more
// subscriptions.
func TestConflateCloseTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1")
		synctest.Wait()
		closed := make(chan error)
		for range 3 {
			go func() { closed <- sub.Close() }()
		}
		(<-out).Ack()
		for range 3 {
			if err := <-closed; err != nil {
				t.Error(err)
			}
		}
		if _, err := sub.Subscribe(t.Context(), "in"); !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
		if b.open() != 0 {
			t.Error("a subscription was left behind")
		}
	})
}

// The error of the decorated subscriber is returned as it is.
func TestConflateRefused(t *testing.T) {
	sub := mustConflate(t, refusing{}, ConflateOptions{})
	if _, err := sub.Subscribe(t.Context(), "in"); !errors.Is(err, errRefused) {
		t.Errorf("got %v", err)
	}
}

func TestConflateInitializes(t *testing.T) {
	b := newBroker(1)
	sub := mustConflate(t, b, ConflateOptions{}).(message.SubscribeInitializer)
	if err := sub.SubscribeInitialize("in"); err != nil || len(b.topics) != 1 || b.topics[0] != "in" {
		t.Errorf("error %v, topics %q", err, b.topics)
	}
	sub = mustConflate(t, refusing{}, ConflateOptions{}).(message.SubscribeInitializer)
	if err := sub.SubscribeInitialize("in"); err != nil {
		t.Error(err)
	}
}

// late is a broker whose Subscribe takes its time.
type late struct{ *broker }

func (l late) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	time.Sleep(10 * ms)
	return l.broker.Subscribe(ctx, topic)
}

// A subscription that comes about after Close is ended, with what it has.
func TestConflateClosedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := late{newBroker(1)}
		sub := mustConflate(t, b, ConflateOptions{})
		subscribed := make(chan error)
		go func() {
			_, err := sub.Subscribe(t.Context(), "in")
			subscribed <- err
		}()
		synctest.Wait()
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
		if err := <-subscribed; !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
		if b.open() != 0 {
			t.Error("the subscription of the broker is open")
		}
	})
}
