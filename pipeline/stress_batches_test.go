package pipeline

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headrace/headrace/operators"
)

// Whenever a run stops, and whatever a source does, all values of the batches
// that it has yielded are accounted for.
func TestStressBatches(t *testing.T) {
	for seed := range uint64(15) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { stressBatches(t, seed) })
	}
}

func stressBatches(t *testing.T, seed uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	random := rand.New(rand.NewPCG(seed, 2))
	g := &ground{t: t, random: random, inHand: map[string]bool{}, admitted: map[string]int{}, processed: map[string]int{}}
	c := g.config()
	c.DrainTimeout = []time.Duration{0, time.Millisecond}[random.IntN(2)]
	p := mustNew(t, c)
	yielded := make([]atomic.Uint64, 3)
	var total atomic.Int64
	stop := random.Int64N(3000)
	for producer := range yielded {
		random := rand.New(rand.NewPCG(seed, uint64(10+producer)))
		n := 0
		source := FromBatches(func(ctx context.Context) iter.Seq2[[]item, error] {
			return func(yield func([]item, error) bool) {
				for n < 1000 && ctx.Err() == nil {
					batch := make([]item, random.IntN(200))
					for i := range batch {
						n++
						batch[i] = item{fmt.Sprint(producer, "/", random.IntN(20)), n}
					}
					if random.IntN(10) == 0 {
						panic("source")
					}
					yielded[producer].Add(uint64(len(batch)))
					if total.Add(int64(len(batch))) > stop {
						cancel()
					}
					if random.IntN(10) == 0 {
						yield(batch, errBoom)
						return
					}
					if !yield(batch, nil) {
						return
					}
				}
			}
		})
		switch random.IntN(3) {
		case 0: // fails now and then
			source = Via(source, func(in iter.Seq[item]) iter.Seq[item] {
				return operators.Tap(in, func(item) {
					if random.IntN(200) == 0 {
						yielded[producer].Add(^uint64(0)) // what the chain fails of is no value of its producer
						panic("chain")
					}
				})
			})
		case 1:
			source = TryVia(source, inSteps(unchanged))
		}
		var o Intermittent
		switch random.IntN(3) {
		case 0:
			o = Intermittent{On: 100 * time.Microsecond, Off: 100 * time.Microsecond}
		case 1:
			o = Intermittent{Above: 5}
		}
		p.Produce(Producer[item]{Source: source, OnFailure: Restart, RestartBackoff: Backoff{First: time.Microsecond}, Intermittent: o})
	}
	g.consume(p)
	_ = p.Run(ctx)
	checkBalance(t, p)
	s := p.Stats()
	var admitted, rejected uint64
	for i, r := range s.Producers {
		admitted, rejected = admitted+r.Admitted, rejected+r.Rejected
		if got := yielded[i].Load(); got != r.Received {
			t.Errorf("producer %d: %d yielded, %d received", i, got, r.Received)
		}
	}
	// What a chain that fails leaves is rejected without being put.
	if puts := s.Ledger.Puts; puts < admitted || puts > admitted+rejected {
		t.Errorf("%d puts, %d admitted, %d rejected", puts, admitted, rejected)
	}
}
