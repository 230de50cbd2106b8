package pipeline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// Observe tells how a pipeline is set up, defaults included.
func ExamplePipeline_Observe() {
	p := newWords(pipeline.Config[string, string]{
		Metronome: metronome.Options{Interval: time.Millisecond},
		Governor:  governor.Options{High: 50 * time.Millisecond},
	})
	o := p.Observe(0)
	fmt.Println("running", o.Running)
	fmt.Println("high", o.High, "low", o.Low)
	fmt.Println("divisor", o.Base, "to", o.Max)
	// Output:
	// running false
	// high 50ms low 25ms
	// divisor 10 to 200
}

func ExampleObservation() {
	p := newWords(pipeline.Config[string, string]{Workers: 4})
	var o pipeline.Observation
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(context.Context, wordEntry) error {
		o = p.Observe(0)
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	fmt.Println("running", o.Running, "with", o.Workers, "workers")
	// Output:
	// <nil>
	// running true with 4 workers
}

// One entry in 16 is counted, so a key has to come often.
func ExampleHotKey() {
	p := newWords(pipeline.Config[string, string]{
		Op: func(string) cache.Op { return cache.Append }, // none is merged away
	})
	p.Observe(1) // from now on keys are counted
	p.Produce(pipeline.Producer[string]{Source: repeated("hello", 1000)})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	for _, k := range p.Observe(1).Hottest {
		fmt.Printf("%s: %.0f %% of all\n", k.Key, 100*k.Share)
	}
	// Output:
	// <nil>
	// hello: 100 % of all
}

// repeated is a source of one word, many times.
func repeated(word string, n int) pipeline.Source[string] {
	return pipeline.FromSeq(func(yield func(string) bool) {
		for range n {
			if !yield(word) {
				return
			}
		}
	})
}
