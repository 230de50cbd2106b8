package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// patient is a pace so slow that all words of an example wait together when
// the input ends.
var patient = metronome.Options{Interval: time.Hour}

// A worker takes all that is eligible, up to 10 entries.
func ExamplePipeline_ConsumeBatch() {
	p := newWords(pipeline.Config[string, string]{Metronome: patient})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "c", "a")})
	p.ConsumeBatch(10, func(_ context.Context, entries []wordEntry) error {
		for _, e := range entries {
			fmt.Print(e.Value, " ")
		}
		fmt.Println("in one batch of", len(entries))
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// a b c in one batch of 3
	// <nil>
}

// A BatchHandler is a function. Its error, unless it is BatchErrors, is that of
// every entry.
func ExampleBatchHandler() {
	calls := 0
	var handler pipeline.BatchHandler[string, string] = func(_ context.Context, entries []wordEntry) error {
		if calls++; calls == 1 {
			return errors.New("not today")
		}
		fmt.Println(len(entries), "entries, attempt", entries[0].Attempts)
		return nil
	}
	p := newWords(pipeline.Config[string, string]{Metronome: patient})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b")})
	p.ConsumeBatch(10, handler)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// 2 entries, attempt 2
	// <nil>
}

// Only what failed is tried again.
func ExampleBatchErrors() {
	p := newWords(pipeline.Config[string, string]{Metronome: patient})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "c")})
	p.ConsumeBatch(10, func(_ context.Context, entries []wordEntry) error {
		errs := make(pipeline.BatchErrors, len(entries))
		for i, e := range entries {
			if e.Value == "b" && e.Attempts == 1 {
				errs[i] = errors.New("too bitter")
			}
		}
		fmt.Println(errs)
		return errs
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// 1 of 3 entries failed
	// 0 of 1 entries failed
	// <nil>
}

// The handler returns at once. The key is free when done is called.
func ExamplePipeline_ConsumeAsync() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.ConsumeAsync(func(_ context.Context, e wordEntry, done func(error)) {
		time.AfterFunc(time.Millisecond, func() {
			fmt.Println(e.Value)
			done(nil)
		})
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello
	// <nil>
}

// An error given to done is one of the handler: the entry is tried again.
func ExampleAsyncHandler() {
	var handler pipeline.AsyncHandler[string, string] = func(_ context.Context, e wordEntry, done func(error)) {
		fmt.Println(e.Value, "attempt", e.Attempts)
		if e.Attempts == 1 {
			done(errors.New("not today"))
			return
		}
		done(nil)
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.ConsumeAsync(handler)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello attempt 1
	// hello attempt 2
	// <nil>
}

// Late joiners can read the last value of each key.
func ExamplePipeline_Image() {
	p := newWords(pipeline.Config[string, string]{Image: 100})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	fmt.Println(p.Image("hello"))
	_, ok := p.Image("world")
	fmt.Println(ok)
	// Output:
	// <nil>
	// hello true
	// false
}

func ExamplePipeline_Images() {
	p := newWords(pipeline.Config[string, string]{Image: 1}) // the last one only
	p.Produce(pipeline.Producer[string]{Source: words("hello", "world")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	for key, value := range p.Images() {
		fmt.Println(key, value)
	}
	// Output:
	// <nil>
	// world world
}
