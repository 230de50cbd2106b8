package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// overloaded is one measurement: a feed, a consumer, and what is between them.
type overloaded struct {
	feed     *feed
	consumer *consumer

	from, to      time.Time // of what is measured
	before, after int       // values fed by then

	heapBefore, heapAfter uint64
	weighed               int // values fed by the time of heapBefore
}

func newOverloaded(k keys, in, out float64, length time.Duration) *overloaded {
	o := &overloaded{consumer: newConsumer(out, len(k.symbols))}
	o.feed = &feed{keys: k, rate: in, length: length, warm: length * 2 / 5, onHalf: o.weigh, onWarm: o.begin}
	return o
}

// weigh, begin and end run on the goroutine of the feed. weigh comes early enough
// that what waits meanwhile has been taken when the measurement begins.
func (o *overloaded) weigh() { o.heapBefore, o.weighed = heap(), o.feed.fed }

func (o *overloaded) begin() {
	o.from, o.before = time.Now(), o.feed.fed
	o.consumer.phase.Store(measuring)
}

func (o *overloaded) end() {
	select {
	case <-o.consumer.began:
	case <-time.After(time.Second): // the machine is busy, or the run was cancelled
	}
	o.consumer.phase.Store(closing)
	o.to, o.after = time.Now(), o.feed.fed
	o.heapAfter = heap()
	o.consumer.phase.Store(draining)
}

// heap returns the bytes of the heap that are in use, without garbage.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// start sets the clocks.
func (o *overloaded) start() {
	o.feed.start = time.Now()
	o.consumer.pace.start = o.feed.start
}

// throughPipeline lets Headrace stand between the two.
func (o *overloaded) throughPipeline(ctx context.Context) error {
	p, err := pipeline.New(pipeline.Config[string, quote]{Key: quote.Symbol})
	if err != nil {
		return err
	}
	p.Produce(pipeline.Producer[quote]{Source: deliveries(o.feed, o.end)})
	size := o.consumer.pace.batch()
	batch := make([]taken, 0, size)
	p.ConsumeBatch(size, func(_ context.Context, entries []cache.Entry[string, quote]) error {
		batch = batch[:0]
		for i := range entries {
			e := &entries[i]
			batch = append(batch, taken{e.Value, e.Inserted(), e.Merged})
		}
		o.consumer.process(entries[0].Taken, batch)
		return nil
	})
	o.consumer.waiting = func() int { return int(p.Stats().Ledger.Waiting) }
	o.start()
	if err := p.Run(ctx); err != nil {
		return err
	}
	return p.Stats().Ledger.Check()
}

// throughLine lets a line stand between the two.
func (o *overloaded) throughLine(ctx context.Context, l line) error {
	var ended atomic.Bool
	var feeding sync.WaitGroup
	o.consumer.waiting = l.waiting
	o.start()
	feeding.Go(func() {
		o.feed.run(ctx, func(q quote) bool {
			l.put(q)
			return true
		})
		o.end()
		ended.Store(true)
	})
	o.consumer.consume(l, &ended)
	feeding.Wait()
	return nil
}

// sample checks that work was done, and returns the figures.
func (o *overloaded) sample(ctx context.Context, zipf bool) (bench.Sample, error) {
	c, seconds := o.consumer, o.to.Sub(o.from).Seconds()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if c.entries == 0 || o.after == o.before {
		return nil, errors.New("nothing was measured")
	}
	finals, keys := 0, 0
	for key, last := range o.feed.last {
		if c.delivered[key] > last {
			return nil, fmt.Errorf("key %d: got value %d, but %d was the last", key, c.delivered[key], last)
		}
		if last > 0 {
			keys++
		}
		if last > 0 && c.delivered[key] == last {
			finals++
		}
	}
	out := float64(c.entries) / seconds
	s := bench.Sample{
		"in":           float64(o.after-o.before) / seconds,
		"out":          out,
		"conflation":   float64(c.merged) / float64(c.merged+c.entries),
		"wait p50":     c.wait.ms(0.5),
		"wait p99":     c.wait.ms(0.99),
		"wait max":     c.wait.max(),
		"age p99":      c.age.ms(0.99),
		"waiting":      float64(c.most),
		"final values": float64(finals) / float64(keys),
	}
	// Fewer values would not stand out from what else is allocated.
	if o.feed.rate*(o.feed.length-o.feed.warm).Seconds() >= 50_000 {
		s["memory"] = (float64(o.heapAfter) - float64(o.heapBefore)) / float64(o.after-o.weighed)
	}
	if c.most > 0 {
		s["p99 / bound"] = c.wait.ms(0.99) / 1e3 * out / float64(c.most)
	}
	if c.ratio.max() > 0 { // else it took less than waits
		s["p99 of wait / drain"] = c.ratio.ms(0.99)
	}
	if ratio, ok := c.hot.ratioTo(c.cold); ok && zipf {
		s["hot / cold"] = ratio
	}
	return s, nil
}
