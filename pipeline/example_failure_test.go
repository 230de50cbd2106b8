package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// failing is a source that fails, after a word each time, and ends when it has
// been opened so many times.
func failing(times int) pipeline.Source[string] {
	opened := 0
	return func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			if opened++; yield(pipeline.Delivery[string]{Value: fmt.Sprint("hello ", opened)}, nil) && opened < times {
				yield(pipeline.Delivery[string]{}, errors.New("line cut"))
			}
		}
	}
}

// What the failure of a source leads to.
func ExampleFailure() {
	for _, f := range []pipeline.Failure{pipeline.StopAll, pipeline.Restart, pipeline.CarryOn} {
		p := newWords(pipeline.Config[string, string]{})
		p.Produce(pipeline.Producer[string]{
			Name: "feed", Source: failing(3), OnFailure: f,
			RestartBackoff: pipeline.Backoff{First: time.Millisecond},
		})
		p.Consume(func(context.Context, wordEntry) error { return nil })
		err := p.Run(context.Background())
		s := p.Stats().Producers[0]
		fmt.Println("received", s.Received, "failures", s.Failures, "restarts", s.Restarts, err)
	}
	// Output:
	// received 1 failures 1 restarts 0 pipeline: producer "feed": line cut
	// received 3 failures 2 restarts 2 <nil>
	// received 1 failures 1 restarts 0 <nil>
}

// The input is open and closed in turn, for a millisecond each, and also closed
// while more than 1000 entries wait.
func ExampleIntermittent() {
	opened := 0
	source := pipeline.FromFunc(func(ctx context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			if opened++; opened < 3 {
				<-ctx.Done() // it is closed
			}
		}
	})
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source, Intermittent: pipeline.Intermittent{
		On: time.Millisecond, Off: time.Millisecond,
		Above: 1000, Below: 100,
	}})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	fmt.Println("opened", opened, "times")
	// Output:
	// <nil>
	// opened 3 times
}

// Two goroutines read from a channel. No key is in more than one value, so that
// it does not matter in which order they come.
func ExampleProducer_parallel() {
	ch := make(chan string, 3)
	ch <- "a"
	ch <- "b"
	ch <- "c"
	close(ch)
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: pipeline.FromChannel(ch), Parallel: 2, Partitioned: true})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	fmt.Println(p.Stats().Ledger.Done, "done")
	// Output:
	// <nil>
	// 3 done
}
