package jetstream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/pipeline"
	js "github.com/nats-io/nats.go/jetstream"
)

// Messages come in order, and those are pending that have not been settled,
// whatever the order of their acknowledgements.
func TestConsume(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a 1", "b 2", "a 3")
	r := open(t, Consume(c, Options{}, decode))
	items := r.take("a 1", "b 2", "a 3")
	for i, d := range items {
		if d.Sequence != uint64(i+1) || d.Bytes != 3 {
			t.Errorf("delivery %d has sequence %d and %d bytes", i, d.Sequence, d.Bytes)
		}
	}
	if got := b.pending(c, 3); got != 3 {
		t.Errorf("%d pending, want 3", got)
	}
	if !items[2].Receipt.Ack() || items[2].Receipt.Ack() || items[2].Receipt.Nack() {
		t.Error("a receipt must settle once")
	}
	if got := b.pending(c, 2); got != 2 {
		t.Errorf("%d pending, want 2", got)
	}
	items[0].Receipt.Ack()
	items[1].Receipt.Ack()
	r.close()
	info, err := c.Info(t.Context())
	if err != nil || info.NumAckPending != 0 || info.AckFloor.Stream != 3 {
		t.Errorf("after the end %+v, %v", info, err)
	}
}

func TestConsumeNack(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	b.publish("a 1", "b 2")
	r := open(t, Consume(b.consumer(b.js, js.ConsumerConfig{}), Options{NackDelay: 200 * ms}, decode))
	items := r.take("a 1", "b 2")
	began := time.Now()
	items[0].Receipt.Nack()
	again := r.take("a 1")[0]
	if after := time.Since(began); after < 190*ms {
		t.Errorf("it came again after %v, want 200ms", after)
	}
	if items[0].Receipt.Ack() || !again.Receipt.Ack() {
		t.Error("only the receipt of the last delivery must settle")
	}
}

// No more messages are in hand than MaxAckPending, however many are asked for.
func TestConsumeWindow(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{MaxAckPending: 2})
	if got := Window(c); got != 2 {
		t.Errorf("the window is %d, want 2", got)
	}
	b.publish("a 1", "a 2", "a 3", "a 4")
	r := open(t, Consume(c, Options{}, decode))
	items := r.take("a 1", "a 2")
	r.nothing(100 * ms)
	items[1].Receipt.Ack()
	r.take("a 3")
	r.nothing(50 * ms)
}

// A message that cannot be decoded comes with an error that concerns it alone.
func TestConsumeDecodeError(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a x", "panic 1", "a 3")
	r := open(t, Consume(c, Options{}, decode))
	for _, want := range []string{`strconv.Atoi: parsing "x": invalid syntax`, "panic: at the disco"} {
		i := r.next()
		var bad *DecodeError
		if !errors.As(i.err, &bad) || !errors.Is(i.err, pipeline.ErrInvalid) || bad.Err.Error() != want {
			t.Fatalf("got %v, want %q", i, want)
		}
		if got := i.err.Error(); got != `jetstream: message of subject "q": `+want {
			t.Errorf("error %q", got)
		}
		i.Receipt.Ack()
	}
	r.take("a 3")
	if got := b.pending(c, 1); got != 1 {
		t.Errorf("%d pending, want 1", got)
	}
}

// What a source has not yielded when it is closed comes to the next one at
// once, not after AckWait.
func TestConsumeGivesBack(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a 1", "a 2", "a 3")
	first := open(t, Consume(c, Options{NackDelay: ms}, decode))
	first.take("a 1")[0].Receipt.Ack()
	b.pending(c, 2)
	first.close()
	second := open(t, Consume(c, Options{}, decode))
	second.take("a 2", "a 3")
}

// The connection stays open when the source has let go, so what it yielded can
// still be acknowledged.
func TestConsumeAckAfterTheEnd(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a 1")
	r := open(t, Consume(c, Options{}, decode))
	d := r.take("a 1")[0]
	r.close()
	if got := b.pending(c, 1); got != 1 {
		t.Errorf("%d pending, want 1", got)
	}
	if !d.Receipt.Ack() {
		t.Error("it was not acknowledged")
	}
	if got := b.pending(c, 0); got != 0 {
		t.Errorf("%d pending, want 0", got)
	}
}

func TestConsumeDeleted(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a 1")
	source := Consume(c, Options{}, decode)
	r := open(t, source)
	r.take("a 1")
	if err := b.js.DeleteConsumer(t.Context(), "quotes", "reader"); err != nil {
		t.Fatal(err)
	}
	if err := r.next().err; !errors.Is(err, js.ErrConsumerDeleted) || errors.Is(err, pipeline.ErrInvalid) {
		t.Errorf("got %v, want %v", err, js.ErrConsumerDeleted)
	}
	r.end()
	again := open(t, source)
	if err := again.next().err; !errors.Is(err, js.ErrConsumerNotFound) {
		t.Errorf("opened again: got %v, want %v", err, js.ErrConsumerNotFound)
	}
	again.end()
}

// A closed connection ends the source. What is acknowledged then is reported
// as lost.
func TestConsumeDisconnected(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	conn, stream := b.connect()
	b.publish("a 1")
	var lost errorLog
	r := open(t, Consume(b.consumer(stream, js.ConsumerConfig{}), Options{OnError: lost.add}, decode))
	d := r.take("a 1")[0]
	conn.Close()
	if err := r.next().err; !errors.Is(err, js.ErrConnectionClosed) {
		t.Errorf("got %v, want %v", err, js.ErrConnectionClosed)
	}
	r.end()
	if d.Receipt.Ack() {
		t.Error("acknowledged without a connection")
	}
	if got := lost.all(); len(got) != 2 || !strings.Contains(got[0], "may be lost") || !strings.Contains(got[1], "closed") {
		t.Errorf("reported %q", got)
	}
}
