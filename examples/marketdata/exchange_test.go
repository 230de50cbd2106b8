package main

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// first returns the first n ticks of a seed.
func first(n int, seed uint64) []Tick {
	x := newExchange(seed, 20, 1000)
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
		case !tick.TwoSided():
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
	if len(count) != 20 || count["SYM0001"] < 10*count["SYM0020"] {
		t.Errorf("ticks by symbol %v, want 20 symbols, and the first much more popular than the last", count)
	}
}

func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(1, 20, 1000)
		open := time.AfterFunc(2*time.Second+time.Millisecond/2, x.close)
		defer open.Stop()
		got, want := make(map[string]Quote), make(map[string]Quote)
		begin := time.Now()
		quotes := 0
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		for d, err := range pipeline.Source[Tick](x.source)(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			if q := d.Value.Quote(); d.Value.TwoSided() && got[q.Symbol] != q {
				got[q.Symbol] = q
				quotes++
			}
		}
		if quotes != 2000 {
			t.Errorf("%d quotes in 2 s, want 2000", quotes)
		}
		if took := time.Since(begin); took != 5*time.Second {
			t.Errorf("the source ended after %v, want when its context did, after 5 s", took)
		}
		for q := range x.last() {
			want[q.Symbol] = q
		}
		if !maps.Equal(got, want) {
			t.Errorf("last quotes %v, want %v", want, got)
		}
		x.close() // twice is harmless
	})
}
