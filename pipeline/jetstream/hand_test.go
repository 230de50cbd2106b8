package jetstream

import (
	"sync"
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// errorLog is an Options.OnError that keeps what it gets.
type errorLog struct {
	mu   sync.Mutex
	errs []string
}

func (l *errorLog) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err.Error())
}

func (l *errorLog) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errs
}

func numDelivered(t *testing.T, d item) uint64 {
	t.Helper()
	m, err := d.Receipt.(*message).msg.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	return m.NumDelivered
}

// Heartbeats keep a message in hand for longer than AckWait, be it with the
// pipeline or still in the inbox.
func TestHandHeartbeats(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: 400 * ms})
	b.publish("a 1", "a 2")
	r := open(t, Consume(c, Options{}, decode))
	first := r.take("a 1")[0]
	time.Sleep(2 * 400 * ms)
	second := r.take("a 2")[0]
	if n := numDelivered(t, second); n != 1 {
		t.Errorf("what waited in the inbox was delivered %d times", n)
	}
	r.nothing(2 * 400 * ms)
	first.Receipt.Ack()
	second.Receipt.Ack()
	if got := b.pending(c, 0); got != 0 {
		t.Errorf("%d pending, want 0", got)
	}
	info, err := c.Info(t.Context())
	if err != nil || info.NumRedelivered != 0 || info.Delivered.Consumer != 2 {
		t.Errorf("%+v, %v", info, err)
	}
}

// A message that is delivered again while it is in hand is not yielded again:
// it counts once, and the last delivery is acknowledged.
func TestHandDeliveredAgain(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: 400 * ms})
	b.publish("a 1")
	r := open(t, Consume(c, Options{}, decode))
	d := r.take("a 1")[0]
	if err := d.Receipt.(*message).msg.Nak(); err != nil { // as if heartbeats had been late
		t.Fatal(err)
	}
	r.nothing(2 * 400 * ms)
	if n := numDelivered(t, d); n != 2 {
		t.Errorf("it was delivered %d times, want 2", n)
	}
	d.Receipt.Ack()
	if got := b.pending(c, 0); got != 0 {
		t.Errorf("%d pending, want 0", got)
	}
}

// A message that is held for too long is given up: its receipt is revoked, and
// it comes again with a new one.
func TestHandHoldLimit(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: 400 * ms})
	b.publish("a 1")
	r := open(t, Consume(c, Options{HoldLimit: 600 * ms, NackDelay: 10 * ms}, decode))
	d := r.take("a 1")[0]
	if d.Receipt.(*message).Revoked() {
		t.Error("revoked at once")
	}
	again := r.take("a 1")[0]
	if !d.Receipt.(*message).Revoked() || d.Receipt.Ack() {
		t.Error("what was given up must be revoked, and cannot be acknowledged")
	}
	if again.Receipt.(*message).Revoked() || !again.Receipt.Ack() {
		t.Error("what came again must be acknowledged")
	}
}

// What is given up in the inbox is not yielded.
func TestHandHoldLimitInTheInbox(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: 400 * ms, MaxAckPending: 3})
	b.publish("a 1", "a 2", "a 3")
	r := open(t, Consume(c, Options{HoldLimit: 500 * ms, NackDelay: 10 * ms}, decode))
	r.take("a 1") // a 2 is in the hands of the region by then
	time.Sleep(1000 * ms)
	seen := map[string]int{}
	for range 3 {
		i := r.next()
		if !i.Receipt.(*message).Revoked() {
			seen[i.String()]++
		}
		i.Receipt.Ack()
	}
	for text, n := range seen {
		if n != 1 {
			t.Errorf("%q came %d times unrevoked", text, n)
		}
	}
}
