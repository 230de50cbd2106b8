package pubsub

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// Parallel subscriptions that hand out one message each let messages meet
// before they are acknowledged.
func TestConflateParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{
			Acknowledge: pipeline.AckOnDone, Window: 1, Parallel: 4,
			Cache: cache.Options[string, wm]{Newer: newer},
		})
		out := mustSubscribe(t, t.Context(), sub)
		if b.open() != 4 {
			t.Errorf("%d subscriptions, want 4", b.open())
		}
		b.send("x 1")
		m := <-out
		for n := range 10 {
			b.send(numbered("a", n))
		}
		synctest.Wait()
		m.Ack()
		synctest.Wait()
		mustBe(t, out, "a 9").Ack()
		synctest.Wait()
		mustNotBe(t, out)
		b.check(t, "ack x 1", "ack a 0", "ack a 1", "ack a 2", "ack a 3", "ack a 4", "ack a 5", "ack a 6", "ack a 7", "ack a 8", "ack a 9")
		sub.Close()
		mustBeClosed(t, out)
	})
}

// second refuses the second subscription.
type second struct {
	*broker
	n int
}

func (s *second) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if s.n++; s.n == 2 {
		return nil, errRefused
	}
	return s.broker.Subscribe(ctx, topic)
}

// If one subscription is refused the others end, with what they have.
func TestConflateParallelRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		b.send("a 1")
		sub := mustConflate(t, &second{broker: b}, ConflateOptions{Parallel: 2, Partitioned: true})
		if _, err := sub.Subscribe(t.Context(), "in"); !errors.Is(err, errRefused) {
			t.Errorf("got %v", err)
		}
		if b.open() != 0 {
			t.Errorf("%d subscriptions are open", b.open())
		}
	})
}

// Parallel sources of a pipeline, each a subscription.
func TestSubscribeParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		c := pipeline.Config[string, quote]{}
		c.Cache.Newer = func(waiting, arriving quote) bool { return arriving.n > waiting.n }
		p := newPipeline(t, c)
		p.Produce(pipeline.Producer[quote]{
			Name: "feed", Source: Subscribe(b, "in", decode),
			Acknowledge: pipeline.AckOnDone, Window: 1, Parallel: 4,
		})
		var got []quote
		free := make(chan struct{})
		p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
			<-free
			got = append(got, e.Value)
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		b.send("x 1")
		synctest.Wait()
		b.send("a 1", "a 2", "a 3", "a 4", "a 5")
		synctest.Wait()
		close(free)
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if want := []quote{{"x", 1}, {"a", 5}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if b.open() != 0 {
			t.Errorf("%d subscriptions are open", b.open())
		}
	})
}
