package jetstream

import (
	"testing"

	js "github.com/nats-io/nats.go/jetstream"
)

// A stream that keeps one message of a subject conflates too, what nobody has
// fetched yet. A message in hand that the server deletes stays in hand.
func TestMaxMsgsPerSubject(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	last, err := b.js.CreateStream(t.Context(), js.StreamConfig{Name: "last", Subjects: []string{"last.*"}, MaxMsgsPerSubject: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, err := last.CreateConsumer(t.Context(), js.ConsumerConfig{Durable: "reader", AckPolicy: js.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	publish := func(key string, texts ...string) {
		for _, text := range texts {
			if _, err := b.js.Publish(t.Context(), "last."+key, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	publish("a", "a 1", "a 2")
	publish("b", "b 1")
	publish("a", "a 3")
	r := open(t, Consume(c, Options{}, decode))
	items := r.take("b 1", "a 3")
	publish("a", "a 4") // deletes a 3
	items = append(items, r.take("a 4")...)
	for _, d := range items {
		if !d.Receipt.Ack() {
			t.Errorf("%v was not acknowledged", d)
		}
	}
	if got := b.pending(c, 0); got != 0 {
		t.Errorf("%d pending, want 0", got)
	}
}
