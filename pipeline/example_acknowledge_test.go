package pipeline_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/headrace/headrace/pipeline"
)

// A message is acknowledged when it is in the cache, or when it is processed.
func ExampleAcknowledge() {
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			yield(pipeline.Delivery[string]{Value: "hello", Receipt: slip("the message")}, nil)
		}
	}
	for _, when := range []pipeline.Acknowledge{pipeline.AckOnAdmit, pipeline.AckOnDone} {
		p := newWords(pipeline.Config[string, string]{Metronome: patient})
		p.Produce(pipeline.Producer[string]{Source: source, Acknowledge: when, Window: 10})
		p.Consume(print)
		if err := p.Run(context.Background()); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// acknowledged the message
	// hello
	// hello
	// acknowledged the message
}
