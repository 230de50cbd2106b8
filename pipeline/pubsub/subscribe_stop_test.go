package pubsub

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

type refusing struct{ message.Subscriber }

var errRefused = errors.New("no such topic")

func (refusing) Subscribe(context.Context, string) (<-chan *message.Message, error) {
	return nil, errRefused
}

func TestSubscribeRefused(t *testing.T) {
	p := newPipeline(t, pipeline.Config[string, quote]{})
	p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(refusing{}, "in", decode)})
	p.Consume(func(context.Context, cache.Entry[string, quote]) error { return nil })
	err := p.Run(t.Context())
	if want := `pipeline: producer "feed": pubsub: subscribe to "in": no such topic`; err == nil || err.Error() != want || !errors.Is(err, errRefused) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// On a stop the message in hand is refused, the subscription ends, and neither
// the run nor the publisher hangs.
func TestSubscribeStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		p := newPipeline(t, pipeline.Config[string, quote]{})
		p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(ch, "in", decode)})
		p.Consume(func(context.Context, cache.Entry[string, quote]) error {
			time.Sleep(50 * ms)
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		synctest.Wait()
		send(t, ch, "a 1")
		cancel()
		synctest.Wait()
		published := make(chan time.Duration)
		began := time.Now()
		go func() {
			send(t, ch, "b 1") // is parked, then refused
			published <- time.Since(began)
		}()
		if after := <-published; after != 50*ms {
			t.Errorf("the publisher was let go after %v, want 50ms", after)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if r := p.Stats().Producers[0]; r.Received != 2 || r.Admitted != 1 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

// A subscriber that is closed is the end of input.
func TestSubscribeClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := newChannel(t)
		p := newPipeline(t, pipeline.Config[string, quote]{})
		p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(ch, "in", decode)})
		p.Consume(func(context.Context, cache.Entry[string, quote]) error { return nil })
		ended := make(chan error)
		go func() { ended <- p.Run(t.Context()) }()
		synctest.Wait()
		send(t, ch, "a 1")
		ch.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if l := p.Stats().Ledger; l.Done != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// flood is a subscriber that can close only when all that it has at hand has
// been taken and settled, one at a time.
type flood struct {
	message.Subscriber
	left int
}

func (f *flood) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	out := make(chan *message.Message)
	go func() {
		defer close(out)
		for ; f.left > 0; f.left-- {
			m := message.NewMessage(watermill.NewUUID(), []byte("a 1"))
			out <- m
			select {
			case <-m.Acked():
			case <-m.Nacked():
			}
		}
		<-ctx.Done()
	}()
	return out, nil
}

func TestSubscribeTakesWhatIsAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flood{left: 100}
		p := newPipeline(t, pipeline.Config[string, quote]{})
		p.Produce(pipeline.Producer[quote]{Name: "feed", Source: Subscribe(f, "in", decode)})
		ctx, cancel := context.WithCancel(t.Context())
		p.Consume(func(context.Context, cache.Entry[string, quote]) error {
			cancel()
			return nil
		})
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
		if f.left != 0 {
			t.Errorf("%d messages were left", f.left)
		}
	})
}
