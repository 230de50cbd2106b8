package pipeline

import (
	"context"
	"runtime"
	"testing"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// A value on its way through the pipeline costs no allocation, save for two of
// an asynchronous handler.
func TestAllocations(t *testing.T) {
	type entry = cache.Entry[int, int]
	forms := map[string]func(p *Pipeline[int, int]){
		"one by one": func(p *Pipeline[int, int]) { p.Consume(func(context.Context, entry) error { return nil }) },
		"batch":      func(p *Pipeline[int, int]) { p.ConsumeBatch(64, func(context.Context, []entry) error { return nil }) },
		"asynchronous": func(p *Pipeline[int, int]) {
			p.ConsumeAsync(func(_ context.Context, _ entry, done func(error)) { done(nil) })
		},
	}
	for name, consume := range forms {
		t.Run(name, func(t *testing.T) {
			c := Config[int, int]{Key: func(i int) int { return i % 1000 }, Workers: 2, Limit: governor.Fixed(2)}
			c.Cache.MaxEntries = 100
			p, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			p.Produce(Producer[int]{Source: FromSeq(func(yield func(int) bool) {
				for i := 0; i < 20_000 && yield(i); i++ {
				}
			})})
			consume(p)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := p.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			most := 0.5
			if name == "asynchronous" {
				most = 2.5
			}
			if got := float64(after.Mallocs-before.Mallocs) / float64(p.Stats().Ledger.Done); got > most {
				t.Errorf("%.2f allocations an entry, want at most %v", got, most)
			}
		})
	}
}
