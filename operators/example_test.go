package operators_test

import (
	"fmt"
	"slices"

	"github.com/headrace/headrace/operators"
)

type Tick struct {
	Name     string
	Bid, Ask float64
}

func (t Tick) TwoSided() bool { return t.Bid > 0 && t.Ask > 0 }

func (t Tick) Quote() Quote { return Quote{t.Name, (t.Bid + t.Ask) / 2} }

type Quote struct {
	Name string
	Mid  float64
}

func (q Quote) Symbol() string { return q.Name }

func (q Quote) SamePrice(next Quote) bool { return q.Mid == next.Mid }

// A chain is named step by step. Nothing runs until it is ranged over.
func Example() {
	ticks := slices.Values([]Tick{
		{"ES", 4810.00, 4810.50},
		{"ES", 0, 4810.50},
		{"NQ", 16900.00, 16900.50},
		{"ES", 4809.75, 4810.75},
		{"NQ", 16900.00, 16901.00},
	})

	valid := operators.Filter(ticks, Tick.TwoSided)
	quotes := operators.Map(valid, Tick.Quote)
	fresh := operators.Changed(quotes, Quote.Symbol, Quote.SamePrice)

	for q := range fresh {
		fmt.Println(q.Name, q.Mid)
	}
	// Output:
	// ES 4810.25
	// NQ 16900.25
	// NQ 16900.5
}
