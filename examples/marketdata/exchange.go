package main

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// exchange is a simulated exchange. The ticks it produces depend on the seed
// alone; only when they are produced depends on the clock.
type exchange struct {
	instruments []instrument
	random      *rand.Rand
	popularity  *rand.Zipf // a few symbols get most of the ticks
	rate        int        // quotes a second
	quotes      int        // produced so far

	once    sync.Once
	closing chan struct{} // closed to end the ticks
	closed  chan struct{} // closed when all ticks have been handed on
}

// instrument is the state of one symbol.
type instrument struct {
	symbol  string
	version uint32
	bid     int32 // price in cents
	last    Tick  // the last two-sided one; its version is 0 before the first
}

func newExchange(seed uint64, symbols, rate int) *exchange {
	random := rand.New(rand.NewPCG(seed, 0))
	x := &exchange{
		random:     random,
		popularity: rand.NewZipf(random, 1.1, 1, uint64(symbols-1)),
		rate:       rate,
		closing:    make(chan struct{}),
		closed:     make(chan struct{}),
	}
	for i := range symbols {
		x.instruments = append(x.instruments, instrument{
			symbol: fmt.Sprintf("SYM%04d", i+1),
			bid:    1000 + random.Int32N(20_000),
		})
	}
	return x
}

// next produces the next tick. Nine in ten bring a new quote; the others have
// one side only or refresh the last quote, for the pipeline to filter out.
func (x *exchange) next() Tick {
	i := &x.instruments[x.popularity.Uint64()]
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

// ticks is what the exchange produces, at its rate, until it is closed. It can
// be ranged over once.
func (x *exchange) ticks() iter.Seq[Tick] {
	return func(yield func(Tick) bool) {
		defer close(x.closed)
		pace := newPace(x.rate, time.Now())
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for x.open() {
			now := <-ticker.C
			for due := x.quotes + pace.due(now); x.quotes < due && x.open(); {
				if !yield(x.next()) {
					return
				}
			}
		}
	}
}

// open reports whether the exchange has not been told to close.
func (x *exchange) open() bool {
	select {
	case <-x.closing:
		return false
	default:
		return true
	}
}

// source is the exchange as the source of a pipeline. It stays open when the
// exchange has closed, until ctx ends: at the end of its input a pipeline drains
// the cache as fast as it can, which would hide what the governor does.
func (x *exchange) source(ctx context.Context) iter.Seq2[pipeline.Delivery[Tick], error] {
	return func(yield func(pipeline.Delivery[Tick], error) bool) {
		for t := range x.ticks() {
			if !yield(pipeline.Delivery[Tick]{Value: t}, nil) {
				return
			}
		}
		<-ctx.Done()
	}
}

// close ends the ticks. It returns when all of them have been handed on; then
// last may be called. Closing twice is harmless.
func (x *exchange) close() {
	x.once.Do(func() { close(x.closing) })
	<-x.closed
}

// last iterates over the last quote of each symbol that had one.
func (x *exchange) last() iter.Seq[Quote] {
	return func(yield func(Quote) bool) {
		for i := range x.instruments {
			if t := x.instruments[i].last; t.Version > 0 && !yield(t.Quote()) {
				return
			}
		}
	}
}
