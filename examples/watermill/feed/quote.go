// Package feed is what both programs consume: a source of quotes that is faster
// than the consumer, and the count of what came of them.
package feed

import (
	"encoding/json"
	"fmt"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
)

// SymbolKey is the metadata that holds the symbol of a quote.
const SymbolKey = "symbol"

// Quote is a price of a symbol. The first one is 1, the next one 2.
type Quote struct {
	Symbol string `json:"symbol"`
	Price  int    `json:"price"`
}

// Key is the key of a quote.
func (q Quote) Key() string { return q.Symbol }

// Encode makes a message of a quote.
func (q Quote) Encode() *message.Message {
	m := message.NewMessage(watermill.NewUUID(), fmt.Appendf(nil, `{"symbol":%q,"price":%d}`, q.Symbol, q.Price))
	m.Metadata.Set(SymbolKey, q.Symbol)
	return m
}

// Decode makes a quote of a message.
func Decode(m *message.Message) (q Quote, err error) {
	err = json.Unmarshal(m.Payload, &q)
	return q, err
}
