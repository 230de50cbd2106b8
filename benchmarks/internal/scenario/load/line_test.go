package load

import (
	"sync/atomic"
	"testing"
	"time"
)

func quoteOf(symbol string, sequence uint64) quote {
	return quote{symbol: symbol, sequence: sequence, due: time.Unix(int64(sequence), 0)}
}

func TestChannelThatDrops(t *testing.T) {
	c := newChannel(2, true)
	for i := range uint64(3) {
		c.put(quoteOf("a", i+1))
	}
	got := c.take(nil, 10)
	if len(got) != 2 || got[0].quote.sequence != 1 || got[1].quote.sequence != 2 {
		t.Errorf("%v, want the first two", got)
	}
}

func TestLatestKeepsTheFirstArrival(t *testing.T) {
	l := newLatest()
	l.put(quoteOf("a", 1))
	l.put(quoteOf("a", 2))
	l.put(quoteOf("b", 3))
	if got := l.take(nil, 1); len(got) != 1 || l.waiting() != 1 {
		t.Fatalf("%v, and %d wait; want one each", got, l.waiting())
	}
	l.put(quoteOf("a", 4))
	l.put(quoteOf("b", 5))
	for _, e := range l.take(nil, 10) {
		if e.quote.symbol == "b" && e.quote.sequence != 5 {
			t.Errorf("%v, want the newest", e)
		}
		if e.merged > 0 && e.first == e.quote.due {
			t.Errorf("%v lost its first arrival", e)
		}
	}
}

func TestConsumeTakesAllThatWasPut(t *testing.T) {
	l := newChannel(100, false)
	for i := range uint64(100) {
		l.put(quoteOf("a", i+1))
	}
	var ended atomic.Bool
	ended.Store(true)
	c := newConsumer(10_000, 1)
	c.phase.Store(draining)
	c.consume(l, &ended)
	if c.delivered[0] != 100 || l.waiting() > 0 {
		t.Errorf("got up to %d, %d wait", c.delivered[0], l.waiting())
	}
}
