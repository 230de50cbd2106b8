package flow

import (
	"encoding/binary"
	"math"
)

// quote is the value of the measurements: 64 bytes.
type quote struct {
	Symbol   string
	ID       int // index of the symbol
	Number   int // of the update, from 1
	Bid, Ask float64
	Mid      float64
	Size     int
}

// priced is the step of the map.
func priced(q quote) quote {
	q.Mid = (q.Bid + q.Ask) / 2
	return q
}

// firm is the step of the filter. It drops one quote in ten.
func firm(q quote) bool { return q.Size > 0 }

func symbolOf(q quote) string { return q.Symbol }

// payload is a quote as bytes, for brokers whose messages are bytes. Symbols
// have 8 bytes.
func payload(q *quote) []byte {
	b := make([]byte, 0, 64)
	b = append(b, q.Symbol...)
	b = binary.LittleEndian.AppendUint64(b, uint64(q.ID))
	b = binary.LittleEndian.AppendUint64(b, uint64(q.Number))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(q.Bid))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(q.Ask))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(q.Mid))
	return binary.LittleEndian.AppendUint64(b, uint64(q.Size))
}

func fromPayload(b []byte) quote {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return quote{
		Symbol: string(b[:8]),
		ID:     int(word(1)),
		Number: int(word(2)),
		Bid:    math.Float64frombits(word(3)),
		Ask:    math.Float64frombits(word(4)),
		Mid:    math.Float64frombits(word(5)),
		Size:   int(word(6)),
	}
}
