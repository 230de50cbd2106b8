package jetstream

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	js "github.com/nats-io/nats.go/jetstream"
)

// What the server is asked for, by default and with the user's options.
func TestPull(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := b.consumer(b.js, js.ConsumerConfig{MaxAckPending: 7})
	requests, err := b.conn.SubscribeSync("$JS.API.CONSUMER.MSG.NEXT.quotes.reader")
	if err != nil {
		t.Fatal(err)
	}
	type request struct {
		Batch     int           `json:"batch"`
		Expires   time.Duration `json:"expires"`
		Heartbeat time.Duration `json:"idle_heartbeat"`
	}
	for _, test := range []struct {
		pull []js.PullConsumeOpt
		want request
	}{
		{nil, request{7, 10 * time.Second, 2 * time.Second}},
		{[]js.PullConsumeOpt{js.PullExpiry(time.Minute)}, request{7, time.Minute, 2 * time.Second}},
		{[]js.PullConsumeOpt{js.PullExpiry(3 * time.Second)}, request{7, 3 * time.Second, 1500 * ms}},
		{[]js.PullConsumeOpt{js.PullHeartbeat(time.Second)}, request{7, 10 * time.Second, time.Second}},
		{[]js.PullConsumeOpt{js.PullMaxMessages(9)}, request{7, 10 * time.Second, 2 * time.Second}},
	} {
		r := open(t, Consume(c, Options{Pull: test.pull}, decode))
		m, err := requests.NextMsg(5 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		r.close()
		var got request
		if err := json.Unmarshal(m.Data, &got); err != nil || got != test.want {
			t.Errorf("%v: asked for %+v, %v, want %+v", test.pull, got, err, test.want)
		}
	}
}

// A server that has forgotten the request, while the connection stays, is asked
// again after two heartbeats.
func TestPullForgotten(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	kept, err := b.js.CreateStream(t.Context(), js.StreamConfig{Name: "kept", Subjects: []string{"k"}, Storage: js.FileStorage})
	if err != nil {
		t.Fatal(err)
	}
	c, err := kept.CreateConsumer(t.Context(), js.ConsumerConfig{Durable: "reader", AckPolicy: js.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	publish := func(text string) {
		if _, err := b.js.Publish(t.Context(), "k", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	var log errorLog
	r := open(t, Consume(c, Options{OnError: log.add}, decode))
	publish("a 1")
	r.take("a 1")[0].Receipt.Ack()
	if err := b.server.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if err := b.server.EnableJetStream(&server.JetStreamConfig{StoreDir: b.dir}); err != nil {
		t.Fatal(err)
	}
	publish("a 2")
	r.take("a 2") // gives up after 10 s
	if got := log.all(); len(got) != 1 || got[0] != js.ErrNoHeartbeat.Error() {
		t.Errorf("reported %q, want %q", got, js.ErrNoHeartbeat)
	}
}
