package pipeline_test

import (
	"context"
	"iter"
	"strconv"
	"testing"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

type update struct {
	symbol string
	fields [6]uint64
}

// BenchmarkEndToEnd sends updates of 1000 symbols through source, map, filter,
// cache, drain and sink, as fast as they go.
func BenchmarkEndToEnd(b *testing.B) {
	symbols := make([]string, 1000)
	for i := range symbols {
		symbols[i] = "S" + strconv.Itoa(1_000_000+i)
	}
	chain := func(in iter.Seq[update]) iter.Seq[update] {
		priced := operators.Map(in, func(u update) update { u.fields[1]++; return u })
		return operators.Filter(priced, func(u update) bool { return u.fields[0]%10 != 0 })
	}
	for name, consume := range map[string]func(*pipeline.Pipeline[string, update]){
		"one by one": func(p *pipeline.Pipeline[string, update]) {
			p.Consume(func(context.Context, cache.Entry[string, update]) error { return nil })
		},
		"in batches": func(p *pipeline.Pipeline[string, update]) {
			p.ConsumeBatch(64, func(context.Context, []cache.Entry[string, update]) error { return nil })
		},
	} {
		b.Run(name, func(b *testing.B) {
			p, err := pipeline.New(pipeline.Config[string, update]{Key: func(u update) string { return u.symbol }})
			if err != nil {
				b.Fatal(err)
			}
			p.Produce(pipeline.Producer[update]{Source: pipeline.Via(looping(b, symbols), chain)})
			consume(p)
			b.ReportAllocs()
			if err := p.Run(b.Context()); err != nil {
				b.Fatal(err)
			}
			l := p.Stats().Ledger
			b.ReportMetric(float64(l.Merged)/float64(l.Puts), "merged/put")
		})
	}
}

// looping yields updates while the benchmark goes on, in batches, as a source does
// that reads them in batches.
func looping(b *testing.B, symbols []string) pipeline.Source[update] {
	return pipeline.FromBatches(func(context.Context) iter.Seq2[[]update, error] {
		return func(yield func([]update, error) bool) {
			n, updates := uint64(0), make([]update, 0, 64)
			for b.Loop() {
				n++
				updates = append(updates, update{symbols[n*7919%1000], [6]uint64{n}})
				if len(updates) < cap(updates) {
					continue
				}
				if !yield(updates, nil) {
					return
				}
				updates = updates[:0]
			}
		}
	})
}
