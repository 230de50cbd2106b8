package pipeline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// counted runs a pipeline that merges four words into two entries: the input
// ends before the first beat.
func counted() pipeline.Stats {
	p := newWords(pipeline.Config[string, string]{
		Name:      "words",
		Metronome: metronome.Options{Interval: time.Second},
	})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "a", "a")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	return p.Stats()
}

func ExampleStats() {
	s := counted()
	fmt.Println(s.Name, "put", s.Ledger.Puts, "merged", s.Ledger.Merged, "done", s.Ledger.Done)
	fmt.Println("divisor", s.Divisor, "reads a second", s.Rate)
	fmt.Println("waits measured", s.Wait.Count)
	// Output:
	// words put 4 merged 2 done 2
	// divisor 1 reads a second 1
	// waits measured 2
}

// Stats may be asked for at any time, in a handler too.
func ExamplePipeline_Stats() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(context.Context, wordEntry) error {
		fmt.Println("leased", p.Stats().Ledger.Leased)
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// leased 1
	// <nil>
}

func ExampleStats_Conflation() {
	fmt.Println(counted().Conflation())
	// Output: 0.5
}

// In and Out are rates since the start of the run, or of the interval.
func ExampleStats_In() {
	s := counted()
	fmt.Printf("%.0f times as many in as out\n", s.In()/s.Out())
	// Output: 2 times as many in as out
}

func ExampleStats_Out() {
	s := counted()
	fmt.Println(s.Out() > 0)
	// Output: true
}

// The difference of two snapshots tells of the time between them.
func ExampleStats_Since() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "c")})
	var first pipeline.Stats
	p.Consume(func(_ context.Context, e wordEntry) error {
		if e.Value == "b" {
			first = p.Stats() // a is done
		}
		return nil
	})
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("done since then:", p.Stats().Since(first).Ledger.Done)
	// Output: done since then: 2
}

// service runs a pipeline whose handler takes at least a millisecond, and
// returns what was measured of it.
func service() pipeline.Histogram {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "c")})
	p.Consume(func(context.Context, wordEntry) error {
		time.Sleep(time.Millisecond)
		return nil
	})
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	return p.Stats().Service
}

func ExampleHistogram() {
	h := service()
	fmt.Println(h.Count, h.Sum >= 3*time.Millisecond, h.Max >= time.Millisecond)
	// Output: 3 true true
}

func ExampleHistogram_Quantile() {
	h := service()
	fmt.Println(h.Quantile(0.5) >= time.Millisecond, h.Quantile(0.99) == h.Max)
	// Output: true true
}

func ExampleHistogram_Mean() {
	h := service()
	fmt.Println(h.Mean() == h.Sum/3)
	// Output: true
}

func ExampleHistogram_String() {
	fmt.Println(pipeline.Histogram{})
	// Output: 0, mean 0s, p50 0s, p99 0s, max 0s
}

func ExampleHistogram_Since() {
	h := service()
	fmt.Println(h.Since(pipeline.Histogram{}).Count, h.Since(h).Count)
	// Output: 3 0
}

// Buckets is what exporters need.
func ExampleHistogram_Buckets() {
	var total uint64
	service().Buckets(func(upper time.Duration, count uint64) {
		if upper >= time.Millisecond {
			total += count
		}
	})
	fmt.Println(total)
	// Output: 3
}
