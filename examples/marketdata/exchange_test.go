package main

import (
	"slices"
	"testing"
)

// first returns the first n ticks of a seed.
func first(n int, seed uint64) []Tick {
	x := newExchange(options{seed: seed, symbols: 20, rate: 1000})
	var ticks []Tick
	for range n {
		ticks = append(ticks, x.next())
	}
	return ticks
}

func TestSeedDeterminesTicks(t *testing.T) {
	if !slices.Equal(first(1000, 7), first(1000, 7)) {
		t.Error("two exchanges of one seed produce different ticks")
	}
	if slices.Equal(first(1000, 7), first(1000, 8)) {
		t.Error("two seeds produce the same ticks")
	}
}

func TestTicks(t *testing.T) {
	const n = 20_000
	count := make(map[string]int)
	last := make(map[string]Tick)
	oneSided, refreshed := 0, 0
	for _, tick := range first(n, 1) {
		count[tick.Symbol]++
		switch {
		case !tick.Complete():
			oneSided++
		case tick == last[tick.Symbol]:
			refreshed++
		case tick.Version <= last[tick.Symbol].Version:
			t.Fatalf("%v after %v, want a newer version", tick, last[tick.Symbol])
		case tick.Ask.Price <= tick.Bid.Price:
			t.Fatalf("%v: the bid is not below the ask", tick)
		default:
			last[tick.Symbol] = tick
		}
	}
	if oneSided < n/25 || oneSided > n/15 || refreshed < n/25 || refreshed > n/15 {
		t.Errorf("%d one-sided and %d refreshed of %d, want about one in 20 each", oneSided, refreshed, n)
	}
	if len(count) != 20 || count["TOP0001"] < 10*count["SYM0020"] {
		t.Errorf("ticks by symbol %v, want 20 symbols, and the first much more popular than the last", count)
	}
}

func TestTrades(t *testing.T) {
	x := newExchange(options{seed: 1, symbols: 20, rate: 1000, trades: true})
	last, trades := make(map[string]Tick), make(map[string]uint32)
	total := 0
	for range 50_000 {
		tick := x.next()
		switch {
		case tick.Trade == 0:
			if tick.Complete() {
				last[tick.Symbol] = tick
			}
			continue
		case tick.Trade != trades[tick.Symbol]+1:
			t.Fatalf("%v is trade %d, want %d", tick, tick.Trade, trades[tick.Symbol]+1)
		case tick.Version != last[tick.Symbol].Version:
			t.Fatalf("%v comes after %v, want the version of that", tick, last[tick.Symbol])
		case (tick.Bid == Level{}) == (tick.Ask == Level{}):
			t.Fatalf("%v: want one side only", tick)
		}
		trades[tick.Symbol] = tick.Trade
		total++
	}
	if total < 800 || total > 1200 || x.trades != total {
		t.Errorf("%d trades, and the exchange says %d: want one in 50, about 1000", total, x.trades)
	}
}

func TestTradesAtALowRate(t *testing.T) {
	x := newExchange(options{seed: 1, symbols: 1, rate: 1, trades: true})
	for range 1000 {
		x.next()
	}
	if x.trades < 300 || x.quotes < 300 {
		t.Errorf("%d trades and %d quotes, want both", x.trades, x.quotes)
	}
}
