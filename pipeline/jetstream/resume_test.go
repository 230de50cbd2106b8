package jetstream

import (
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// crash leaves messages delivered and unsettled, as a process that dies does.
func crash(b *broker, config js.ConsumerConfig, n int) {
	b.t.Helper()
	conn, stream := b.connect()
	batch, err := b.consumer(stream, config).Fetch(n)
	if err != nil {
		b.t.Fatal(err)
	}
	for range batch.Messages() {
		n--
	}
	if n != 0 {
		b.t.Fatalf("%d messages did not come", n)
	}
	conn.Close()
}

// After a crash newer messages wait for those that the dead process had.
func TestResumeKeepsOrder(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	config := js.ConsumerConfig{AckWait: 500 * ms}
	b.consumer(b.js, config)
	b.publish("a 1", "b 2")
	crash(b, config, 2)
	b.publish("a 3", "b 4")
	r := open(t, Consume(b.consumer(b.js, config), Options{}, decode))
	r.take("a 1", "b 2", "a 3", "b 4")
	b.publish("a 5")
	r.take("a 5")
}

// A consumer that others use too is not waited for.
func TestResumeShared(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	config := js.ConsumerConfig{AckWait: 500 * ms}
	b.consumer(b.js, config)
	b.publish("a 1")
	crash(b, config, 1)
	b.publish("a 2")
	r := open(t, Consume(b.consumer(b.js, config), Options{Shared: true}, decode))
	r.take("a 2", "a 1")
}

// When another process holds on to a message, the wait is bounded.
func TestResumeIsBounded(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: 500 * ms})
	b.publish("a 1")
	held, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	b.publish("a 2")
	began := time.Now()
	r := open(t, Consume(c, Options{}, decode))
	for range 5 {
		r.nothing(100 * ms)
		if err := held.InProgress(); err != nil {
			t.Fatal(err)
		}
	}
	r.take("a 2")
	if waited := time.Since(began); waited < 500*ms || waited > 5*time.Second {
		t.Errorf("waited for %v, want 625ms", waited)
	}
}

// Letting go of the input and taking it up again does not wait for what the
// cache still holds.
func TestResumeKnowsItsOwn(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	source := Consume(b.consumer(b.js, js.ConsumerConfig{}), Options{}, decode)
	b.publish("a 1")
	first := open(t, source)
	first.take("a 1")
	first.close()
	b.publish("a 2")
	began := time.Now()
	open(t, source).take("a 2")
	if waited := time.Since(began); waited > 5*time.Second {
		t.Errorf("waited for %v", waited)
	}
}

func TestResumeStops(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{})
	b.publish("a 1")
	crash(b, js.ConsumerConfig{}, 1)
	r := open(t, Consume(c, Options{}, decode))
	r.nothing(50 * ms)
	began := time.Now()
	r.close()
	if waited := time.Since(began); waited > 3*time.Second {
		t.Errorf("the end took %v", waited)
	}
}
