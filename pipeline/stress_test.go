package pipeline

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// ground is where producers, workers and a cancellation meet at random. It
// knows what each key was admitted and processed last.
type ground struct {
	t      *testing.T
	random *rand.Rand // of the test's goroutine
	cancel context.CancelFunc
	stop   int64 // acknowledgement at which the run is cancelled

	acks, nacks atomic.Int64

	mu        sync.Mutex
	inHand    map[string]bool
	admitted  map[string]int
	processed map[string]int
}

// ticket is a receipt that must be settled exactly once.
type ticket struct {
	*ground
	item
	settled atomic.Int32
}

func (k *ticket) Ack() bool {
	k.mu.Lock()
	k.admitted[k.key] = k.n
	k.mu.Unlock()
	if k.acks.Add(1) == k.stop {
		k.cancel()
	}
	return k.settle()
}

func (k *ticket) Nack() bool {
	k.nacks.Add(1)
	return k.settle()
}

func (k *ticket) settle() bool {
	if k.settled.Add(1) != 1 {
		k.t.Errorf("%v was settled twice", k.item)
	}
	return true
}

// source yields values of keys of its own, numbered upwards.
func (g *ground) source(producer, values int) (Source[item], *[]*ticket) {
	random := rand.New(rand.NewPCG(g.random.Uint64(), 1))
	tickets := new([]*ticket)
	return func(context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for n := range values {
				i := item{fmt.Sprint(producer, "/", random.IntN(20)), n}
				k := &ticket{ground: g, item: i}
				*tickets = append(*tickets, k)
				if !yield(Delivery[item]{Value: i, Receipt: k}, nil) {
					return
				}
			}
		}
	}, tickets
}

// handle fails or panics now and then.
func (g *ground) handle(_ context.Context, e entry) error {
	g.take(e)
	defer g.putDown(e.Key)
	switch chance := rand.IntN(100); {
	case chance < 10:
		return errBoom
	case chance < 13:
		panic("poison")
	}
	g.mu.Lock()
	g.processed[e.Key] = e.Value.n
	g.mu.Unlock()
	return nil
}

func (g *ground) take(e entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inHand[e.Key] {
		g.t.Errorf("%v is in two hands", e.Key)
	}
	if last, ok := g.processed[e.Key]; ok && last >= e.Value.n {
		g.t.Errorf("%v comes after %d", e.Value, last)
	}
	g.inHand[e.Key] = true
}

func (g *ground) putDown(key string) {
	g.mu.Lock()
	g.inHand[key] = false
	g.mu.Unlock()
}

// try is handle whose panic is an error.
func (g *ground) try(ctx context.Context, e entry) (err error) {
	defer recovered(&err)
	return g.handle(ctx, e)
}

// consume sets a consumer of any form.
func (g *ground) consume(p *Pipeline[string, item]) {
	switch g.random.IntN(3) {
	case 0:
		p.Consume(g.handle)
	case 1:
		p.ConsumeBatch(1+g.random.IntN(5), func(ctx context.Context, entries []entry) error {
			errs := make(BatchErrors, len(entries))
			for i, e := range entries {
				errs[i] = g.try(ctx, e)
			}
			return errs
		})
	case 2:
		p.ConsumeAsync(func(ctx context.Context, e entry, done func(error)) {
			go func() { done(g.try(ctx, e)) }()
		})
	}
}

// config is a pipeline of any kind.
func (g *ground) config() Config[string, item] {
	c := Config[string, item]{
		Workers:  1 + g.random.IntN(4),
		Attempts: []int{3, 1000}[g.random.IntN(2)],
		Backoff:  Backoff{First: time.Microsecond, Max: time.Millisecond},
	}
	if g.random.IntN(2) == 0 {
		c.Metronome.Interval = 100 * time.Microsecond
		c.Reads = 1 + g.random.IntN(4)
		if g.random.IntN(2) == 0 {
			c.Governor.High, c.Governor.Base, c.Governor.Parallel = time.Millisecond, 2, 3
		}
		if g.random.IntN(2) == 0 {
			c.DrainPaced = true
		}
		if g.random.IntN(2) == 0 {
			c.Cache.MaxAge = time.Millisecond
		}
	}
	switch g.random.IntN(3) {
	case 0:
		c.Limit = governor.Fixed(1 + g.random.IntN(3))
	case 1:
		c.Limit = &governor.Gradient2{Initial: 2}
	}
	if g.random.IntN(2) == 0 {
		c.Image = 5
	}
	if g.random.IntN(2) == 0 {
		c.Cache.MaxEntries = 1 + g.random.IntN(30)
		c.Cache.Overflow = cache.Overflow(g.random.IntN(3))
	}
	return c
}

// Whatever happens, nothing is lost without a trace, nothing is settled twice,
// and where nothing was dropped the last value of each key got through.
func TestStress(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { stress(t, seed) })
	}
}

func stress(t *testing.T, seed uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	random := rand.New(rand.NewPCG(seed, 1))
	g := &ground{
		t: t, random: random, cancel: cancel, stop: random.Int64N(3000), // of 2000: some run to the end
		inHand: map[string]bool{}, admitted: map[string]int{}, processed: map[string]int{},
	}
	p := mustNew(t, g.config())
	var all []*[]*ticket
	for producer := range 4 {
		source, tickets := g.source(producer, 500)
		all = append(all, tickets)
		p.Produce(Producer[item]{Source: source})
	}
	g.consume(p)
	if err := p.Run(ctx); err != nil {
		t.Fatal(err)
	}
	checkBalance(t, p)
	s := p.Stats()
	var received, admitted, rejected int
	for i, tickets := range all {
		for _, k := range *tickets {
			if k.settled.Load() != 1 {
				t.Errorf("%v was not settled", k.item)
			}
		}
		r := s.Producers[i]
		received, admitted, rejected = received+int(r.Received), admitted+int(r.Admitted), rejected+int(r.Rejected)
		if len(*tickets) != int(r.Received) {
			t.Errorf("%d deliveries, %d received", len(*tickets), r.Received)
		}
	}
	if int64(admitted) != g.acks.Load() || int64(rejected) != g.nacks.Load() {
		t.Errorf("%d of %d admitted, %d acks, %d nacks", admitted, received, g.acks.Load(), g.nacks.Load())
	}
	if l := s.Ledger; l.Waiting+l.Leased != 0 {
		t.Errorf("left behind: %+v", l)
	}
	if s.Ledger.Dead+s.Ledger.Evicted > 0 {
		return
	}
	for key, n := range g.admitted {
		if g.processed[key] != n {
			t.Errorf("key %s ends with %d, want %d", key, g.processed[key], n)
		}
	}
}
