package jetstream

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// child is the process that the tests below kill.
func child(mode string) {
	conn, err := nats.Connect(os.Getenv("HEADRACE_BROKER"))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	stream, err := js.New(conn)
	if err != nil {
		panic(err)
	}
	consumer, err := stream.Consumer(context.Background(), "quotes", "reader")
	if err != nil {
		panic(err)
	}
	serve(mode, Consume(consumer, Options{}, decode))
}

const keys = 10

// publishRound publishes one value of each key.
func (b *broker) publishRound(n int) {
	b.t.Helper()
	for k := range keys {
		b.publish(fmt.Sprint("key", k, " ", n))
	}
}

// drained waits until every message of the stream is acknowledged.
func (b *broker) drained(consumer js.Consumer) {
	b.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * ms) {
		info, err := consumer.Info(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if info.NumAckPending == 0 && info.NumPending == 0 {
			return
		}
	}
	b.t.Fatal("messages stay unacknowledged")
}

// A process dies with values admitted and not done. When another one has taken
// its place, the last value of each key that was processed is the last one
// published, though half of the keys went on meanwhile.
func TestCrashFinalValues(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: time.Second})
	for n := 1; n <= 20; n++ {
		b.publishRound(n)
	}
	first := spawn(t, "hold", b.url)
	first.until("is stuck", func(line string) bool { return line == "stuck" })
	b.publishRound(21)
	first.untilAdmitted(21 * keys)
	first.kill()
	if len(first.done) == 0 || len(first.done) >= keys {
		t.Errorf("the first process has done %v", first.done)
	}
	second := spawn(t, "last", b.url)
	for k := range keys / 2 {
		b.publish(fmt.Sprint("key", k, " 22"))
	}
	b.drained(c)
	second.stop()
	for k := range keys {
		key, want := fmt.Sprint("key", k), 21
		if k < keys/2 {
			want = 22
		}
		done := append(first.done[key], second.done[key]...)
		if len(done) == 0 || done[len(done)-1] != want {
			t.Errorf("%s: done %v, want %d at last", key, done, want)
		}
	}
}

// Under a merge that adds up nothing is lost in a crash, and what was not done
// counts once.
func TestCrashSums(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{AckWait: time.Second})
	first := spawn(t, "hold sum", b.url)
	for range 20 {
		b.publishRound(1)
	}
	first.untilAdmitted(20 * keys)
	first.kill()
	second := spawn(t, "sum", b.url)
	b.publishRound(1)
	b.drained(c)
	second.stop()
	for k := range keys {
		key := fmt.Sprint("key", k)
		before, after := sum(first.done[key]), sum(second.done[key])
		// What the first has done counts twice if its last words got lost.
		if before+after < 21 || after > 21 {
			t.Errorf("key %d: %d before the crash and %d after it, want 21 together", k, before, after)
		}
	}
}

func sum(all []int) (total int) {
	for _, n := range all {
		total += n
	}
	return total
}
