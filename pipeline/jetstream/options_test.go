package jetstream

import (
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

func TestOptionsDefaults(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	o, err := Options{}.forConsumer(b.consumer(b.js, js.ConsumerConfig{}))
	if err != nil || o.Heartbeat != 10*time.Second || o.NackDelay != time.Second || o.HoldLimit != 0 {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestOptionsErrors(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	for _, test := range []struct {
		consumer js.ConsumerConfig
		o        Options
		want     string
	}{
		{js.ConsumerConfig{MaxAckPending: -1}, Options{}, `jetstream: consumer "reader": MaxAckPending must be positive, since so many messages are held in memory; is -1`},
		{js.ConsumerConfig{}, Options{Heartbeat: 16 * time.Second}, `jetstream: consumer "reader": Heartbeat must be positive and at most half of AckWait (30s), got 16s`},
		{js.ConsumerConfig{}, Options{Heartbeat: -1}, `jetstream: consumer "reader": Heartbeat must be positive and at most half of AckWait (30s), got -1ns`},
		{js.ConsumerConfig{}, Options{HoldLimit: -1}, `jetstream: consumer "reader": HoldLimit must not be negative, got -1ns`},
		{js.ConsumerConfig{}, Options{NackDelay: -1}, `jetstream: consumer "reader": NackDelay must not be negative, got -1ns`},
	} {
		r := open(t, Consume(b.consumer(b.js, test.consumer), test.o, decode))
		if got := r.next().String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		r.end()
	}
}

func TestOptionsAckPolicy(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c, err := b.js.CreateConsumer(t.Context(), "quotes", js.ConsumerConfig{AckPolicy: js.AckAllPolicy})
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, Consume(c, Options{}, decode))
	if got, want := r.next().String(), `AckPolicy must be explicit, is AckAll`; got != `jetstream: consumer "`+c.CachedInfo().Name+`": `+want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Window(c); got != 0 {
		t.Errorf("the window is %d, want 0", got)
	}
	ordered, err := b.js.OrderedConsumer(t.Context(), "quotes", js.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Options{}).forConsumer(ordered); err == nil {
		t.Error("an ordered consumer cannot acknowledge")
	}
}

// What the client does not accept ends the source.
func TestOptionsPull(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	r := open(t, Consume(b.consumer(b.js, js.ConsumerConfig{}), Options{Pull: []js.PullConsumeOpt{js.PullPriorityGroup("a")}}, decode))
	if got, want := r.next().String(), "jetstream: nats: invalid jetstream option: priority group is not supported for this consumer"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.end()
}
