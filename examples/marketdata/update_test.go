package main

import (
	"strings"
	"testing"

	"github.com/headrace/headrace/cache"
)

func TestUpdate(t *testing.T) {
	offer := Level{Price: 100, Size: 1}
	for _, test := range []struct {
		name     string
		tick     Tick
		complete bool
		op       cache.Op
	}{
		{"quote", Tick{Symbol: "A", Bid: offer, Ask: offer}, true, cache.Upsert},
		{"one-sided quote", Tick{Symbol: "A", Bid: offer}, false, cache.Upsert},
		{"trade", Tick{Symbol: "A", Trade: 1, Bid: offer}, true, cache.Append},
	} {
		if got := test.tick.Complete(); got != test.complete {
			t.Errorf("%s: complete %v, want %v", test.name, got, test.complete)
		}
		if got := test.tick.Update().Op(); got != test.op {
			t.Errorf("%s: %v, want %v", test.name, got, test.op)
		}
	}
}

func TestTradesAreKept(t *testing.T) {
	for _, flags := range []string{"", " -workers 8", " -via watermill -rate 2000"} {
		watch(t, "-trades"+flags, func(t *testing.T, p *program, s summary) {
			if s.Trades < 100 || s.Trades > 260 {
				t.Errorf("%s: %d trades, want about 180", flags, s.Trades)
			}
			if !strings.Contains(p.stdout.String(), "trades        right for ") {
				t.Errorf("%s: no trades in\n%s", flags, &p.stdout)
			}
		})
	}
}
