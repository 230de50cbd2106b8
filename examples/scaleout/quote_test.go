package main

import (
	"testing"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// message is what decode sees of a message.
type message struct {
	js.Msg
	subject string
	data    []byte
	count   uint64
}

func (m message) Subject() string { return m.subject }
func (m message) Data() []byte    { return m.data }
func (m message) Metadata() (*js.MsgMetadata, error) {
	if m.count == 0 {
		return nil, nats.ErrMsgNoReply
	}
	return &js.MsgMetadata{NumDelivered: m.count}, nil
}

func TestQuote(t *testing.T) {
	q := quote{symbol: "SYM00042", version: 7, price: 1234}
	for count := range uint64(3) {
		got, err := decode(message{subject: q.subject(12), data: q.data(), count: count})
		if count == 0 {
			if err == nil {
				t.Error("want an error without metadata")
			}
			continue
		}
		q.again = count > 1
		if got != q || err != nil {
			t.Errorf("got %+v and %v, want %+v", got, err, q)
		}
	}
	if _, err := decode(message{subject: q.subject(12), data: []byte("7"), count: 1}); err == nil {
		t.Error("want an error of half a quote")
	}
}

func TestQuoteNewer(t *testing.T) {
	waiting := quote{version: 7}
	if !waiting.newer(quote{version: 8}) || waiting.newer(quote{version: 7}) || waiting.newer(quote{version: 6}) {
		t.Error("want 8 newer than 7, and nothing else")
	}
}

func TestPartition(t *testing.T) {
	counts := make([]int, 12)
	for i := range 2400 {
		counts[partition(symbol(i), 12)]++
	}
	for p, n := range counts {
		if n < 150 || n > 250 {
			t.Errorf("partition %d has %d symbols of 2400, want about 200", p, n)
		}
	}
}
