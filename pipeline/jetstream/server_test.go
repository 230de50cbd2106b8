package jetstream

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

const ms = time.Millisecond

// quote is a message of the form "key number".
type quote struct {
	key string
	n   int
}

func (q quote) Key() string { return q.key }

func decode(m js.Msg) (quote, error) {
	key, number, _ := strings.Cut(string(m.Data()), " ")
	if key == "panic" {
		panic("at the disco")
	}
	n, err := strconv.Atoi(number)
	return quote{key, n}, err
}

// broker is a server of its own, with the stream "quotes" of subject "q".
type broker struct {
	t      *testing.T
	server *server.Server
	dir    string // where it keeps what it stores

	url  string
	conn *nats.Conn
	js   js.JetStream
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	dir := t.TempDir()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	b := &broker{t: t, server: s, dir: dir, url: s.ClientURL()}
	b.conn, b.js = b.connect()
	_, err = b.js.CreateStream(t.Context(), js.StreamConfig{Name: "quotes", Subjects: []string{"q"}, Storage: js.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *broker) connect() (*nats.Conn, js.JetStream) {
	b.t.Helper()
	conn, err := nats.Connect(b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(conn.Close)
	stream, err := js.New(conn)
	if err != nil {
		b.t.Fatal(err)
	}
	return conn, stream
}

// consumer makes the consumer "reader", or returns it as another client sees it.
func (b *broker) consumer(via js.JetStream, c js.ConsumerConfig) js.Consumer {
	b.t.Helper()
	c.Durable = "reader"
	if c.AckWait == 0 {
		c.AckWait = 30 * time.Second
	}
	c.AckPolicy = js.AckExplicitPolicy
	consumer, err := via.CreateOrUpdateConsumer(b.t.Context(), "quotes", c)
	if err != nil {
		b.t.Fatal(err)
	}
	return consumer
}

func (b *broker) publish(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if _, err := b.js.Publish(b.t.Context(), "q", []byte(text)); err != nil {
			b.t.Fatal(err)
		}
	}
}

// pending returns how many messages are delivered and not settled, and waits
// for it to be what is wanted.
func (b *broker) pending(consumer js.Consumer, want int) int {
	b.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * ms) {
		info, err := consumer.Info(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if info.NumAckPending == want || time.Since(began) > 5*time.Second {
			return info.NumAckPending
		}
	}
}
