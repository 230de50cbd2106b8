package pipeline_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

// A Tick is what an exchange sends: either side may be missing.
type Tick struct {
	Symbol   string
	Bid, Ask float64
}

func (t Tick) TwoSided() bool { return t.Bid > 0 && t.Ask > 0 }

func (t Tick) Quote() Quote { return Quote{t.Symbol, (t.Bid + t.Ask) / 2} }

// A Quote is what the consumer wants: the newest middle price of each symbol.
type Quote struct {
	Name  string
	Price float64
}

func (q Quote) Symbol() string { return q.Name }

// Seven ticks arrive while the consumer is paced to one read a second. Three
// entries wait when the input ends, and are drained in the order in which their
// symbols first came, each with its newest price.
func Example() {
	ticks := pipeline.FromSeq(slices.Values([]Tick{
		{"ES", 4810.00, 4810.50}, {"NQ", 16900.00, 16900.50}, {"ES", 4810.25, 4810.75}, {"ES", 0, 4811.00},
		{"CL", 71.50, 71.52}, {"NQ", 16901.00, 16901.50}, {"ES", 4811.00, 4811.50},
	}))
	p, err := pipeline.New(pipeline.Config[string, Quote]{
		Key:       Quote.Symbol,
		Metronome: metronome.Options{Interval: time.Second},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Produce(pipeline.Producer[Quote]{Source: pipeline.Via(ticks, func(in iter.Seq[Tick]) iter.Seq[Quote] {
		valid := operators.Filter(in, Tick.TwoSided)
		return operators.Map(valid, Tick.Quote)
	})})
	p.Consume(func(ctx context.Context, e cache.Entry[string, Quote]) error {
		fmt.Printf("%s %.2f, of %d quotes\n", e.Key, e.Value.Price, e.Merged+1)
		return nil
	})
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.0f %% conflated\n", 100*p.Stats().Conflation())
	// Output:
	// ES 4811.25, of 3 quotes
	// NQ 16901.25, of 2 quotes
	// CL 71.51, of 1 quotes
	// 50 % conflated
}
