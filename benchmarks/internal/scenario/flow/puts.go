package flow

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// chunk is how many puts go by without a look at the clock.
const chunk = 64

// processing is how long the consumer takes for a batch.
const processing = 10 * time.Microsecond

// coalescer is a side of the lmax scenario. One goroutine puts and closes,
// another one takes and is done.
type coalescer interface {
	// put puts the snapshots one after the other. They stay as they are.
	put(snapshots []snapshot, at time.Time)
	close()
	// take takes all that waits, at most len(into), and reports false when
	// the coalescer is closed and empty.
	take(into []snapshot) (n int, open bool)
	// done is called when what was taken has been processed.
	done()
}

// taken is what the consumer saw.
type taken struct {
	values, batches int        // empty batches do not count
	last            []snapshot // by instrument
}

func measurePuts(instruments int, draws []snapshot, open func() (coalescer, error)) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(_ context.Context, about time.Duration) (bench.Sample, error) {
		c, err := open()
		if err != nil {
			return nil, err
		}
		puts := make(chan int)
		runtime.GC()
		start := time.Now()
		go func() {
			n := produce(c, draws, start, about)
			c.close()
			puts <- n
		}()
		got := consume(c, instruments)
		elapsed := time.Since(start).Seconds()
		n := <-puts
		if err := got.check(draws, n); err != nil {
			return nil, err
		}
		return bench.Sample{
			"puts":       float64(n) / elapsed,
			"conflation": float64(n) / float64(got.values),
			"batches":    float64(got.batches) / elapsed,
		}, nil
	}
}

func produce(c coalescer, draws []snapshot, start time.Time, about time.Duration) (n int) {
	for now := start; now.Sub(start) < about; now = time.Now() {
		i := n % len(draws)
		c.put(draws[i:i+chunk], now)
		n += chunk
	}
	return n
}

func consume(c coalescer, instruments int) taken {
	t := taken{last: make([]snapshot, instruments)}
	into := make([]snapshot, instruments)
	for {
		n, open := c.take(into)
		if n == 0 && !open {
			return t
		}
		if t.values += n; n > 0 {
			t.batches++
		}
		for _, s := range into[:n] {
			t.last[s.Instrument] = s
		}
		for start := time.Now(); time.Since(start) < processing; {
		}
		c.done()
	}
}

// check returns an error unless the last value of each instrument arrived.
func (t taken) check(draws []snapshot, puts int) error {
	if puts == 0 || t.values == 0 || t.values > puts {
		return fmt.Errorf("flow: %d values of %d puts", t.values, puts)
	}
	want := make([]snapshot, len(t.last))
	for n := max(0, puts-len(draws)); n < puts; n++ {
		s := draws[n%len(draws)]
		want[s.Instrument] = s
	}
	for i := range want {
		if t.last[i] != want[i] {
			return fmt.Errorf("flow: last snapshot of %d is %v, want %v", i, t.last[i], want[i])
		}
	}
	return nil
}
