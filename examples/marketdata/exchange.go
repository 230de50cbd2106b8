package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
)

// exchange is a simulated exchange. The ticks it produces depend on the seed
// alone; only when they are produced depends on the clock.
type exchange struct {
	instruments []instrument
	random      *rand.Rand
	popularity  *rand.Zipf // a few symbols get most of the ticks
	rate        int        // quotes a second
	tradeShare  float64    // of the ticks; 0 for no trades
	quotes      int        // produced so far
	trades      int        // produced so far

	once    sync.Once
	closing chan struct{} // closed to end the ticks
	closed  chan struct{} // closed when all ticks have been handed on
}

// instrument is the state of one symbol.
type instrument struct {
	symbol  string
	version uint32
	trades  uint32
	bid     int32 // price in cents
	last    Tick  // the last two-sided one; its version is 0 before the first
}

// tradeRate is the trades a second, with -trades. The consumer gets each of them
// and the quote before it, so they have to be few.
const tradeRate = 20

func newExchange(o options) *exchange {
	random := rand.New(rand.NewPCG(o.seed, 0))
	x := &exchange{
		random:     random,
		popularity: rand.NewZipf(random, 1.1, 1, uint64(o.symbols-1)),
		rate:       o.rate,
		closing:    make(chan struct{}),
		closed:     make(chan struct{}),
	}
	if o.trades {
		x.tradeShare = min(0.5, tradeRate/float64(o.rate))
	}
	for i := range o.symbols {
		prefix := "SYM"
		if i%highValueOneIn == 0 {
			prefix = highValuePrefix
		}
		x.instruments = append(x.instruments, instrument{
			symbol: fmt.Sprintf("%s%04d", prefix, i+1),
			bid:    1000 + random.Int32N(20_000),
		})
	}
	return x
}

// next produces the next tick. Nine in ten bring a new quote; the others have
// one side only or refresh the last quote, for the pipeline to filter out. A few
// are trades, if there are any.
func (x *exchange) next() Tick {
	i := &x.instruments[x.popularity.Uint64()]
	if x.tradeShare > 0 && i.last.Version > 0 && x.random.Float64() < x.tradeShare {
		return x.trade(i)
	}
	kind := x.random.IntN(20)
	if kind == 0 && i.last.Version > 0 {
		return i.last
	}
	i.version++
	i.bid = max(100, i.bid+x.random.Int32N(3)-1)
	tick := Tick{
		Symbol:  i.symbol,
		Version: i.version,
		Bid:     Level{Price: i.bid, Size: 1 + x.random.Int32N(100)},
		Ask:     Level{Price: i.bid + 1 + x.random.Int32N(3), Size: 1 + x.random.Int32N(100)},
	}
	if kind == 1 {
		tick.Ask = Level{}
		return tick
	}
	i.last = tick
	x.quotes++
	return tick
}

// trade produces a trade: somebody takes what a side of the last quote offers.
func (x *exchange) trade(i *instrument) Tick {
	i.trades++
	x.trades++
	tick := i.last
	tick.Trade = i.trades
	if x.random.IntN(2) == 0 {
		tick.Bid = Level{}
	} else {
		tick.Ask = Level{}
	}
	return tick
}

// last iterates over the last quote of each symbol that had one.
func (x *exchange) last() iter.Seq[Update] {
	return func(yield func(Update) bool) {
		for i := range x.instruments {
			if t := x.instruments[i].last; t.Version > 0 && !yield(t.Update()) {
				return
			}
		}
	}
}
