package main

import (
	"fmt"
	"hash/fnv"
	"strings"

	js "github.com/nats-io/nats.go/jetstream"
)

// stream is the name of the stream, and the first token of its subjects.
const stream = "quotes"

// quote is a message. Its symbol is in the subject.
type quote struct {
	symbol  string
	version uint64 // counts the quotes of the symbol from 1
	price   int    // in cents
	again   bool   // the broker has delivered it before
	mine    bool   // and that may have been to the present owner
}

func (q quote) key() string { return q.symbol }

// newer reports whether arriving is newer than q.
func (q quote) newer(arriving quote) bool { return arriving.version > q.version }

// partition is where a symbol belongs. All publishers must agree on it, and a
// symbol that changes its partition loses its order.
func partition(symbol string, partitions int) int {
	h := fnv.New32a()
	h.Write([]byte(symbol))
	return int(h.Sum32() % uint32(partitions))
}

func (q quote) subject(partitions int) string {
	return fmt.Sprintf("%s.%d.%s", stream, partition(q.symbol, partitions), q.symbol)
}

func (q quote) data() []byte {
	return fmt.Appendf(nil, "%d %d", q.version, q.price)
}

// decode makes a quote of a message.
func decode(m js.Msg) (quote, error) {
	var q quote
	meta, err := m.Metadata()
	if err != nil {
		return q, err
	}
	q.again = meta.NumDelivered > 1
	q.symbol = m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	_, err = fmt.Sscanf(string(m.Data()), "%d %d", &q.version, &q.price)
	return q, err
}

// consumerName is the name of a partition's durable consumer.
func consumerName(partition int) string { return fmt.Sprintf("partition-%d", partition) }
