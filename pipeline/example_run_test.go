package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// untilCancelled is a source of one word that does not end by itself.
func untilCancelled(s string) pipeline.Source[string] {
	ch := make(chan string, 1)
	ch <- s
	return pipeline.FromChannel(ch)
}

// A cancelled run finishes what it has, and returns nil.
func ExamplePipeline_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: untilCancelled("hello")})
	p.Consume(func(handling context.Context, e wordEntry) error {
		cancel()
		fmt.Println(e.Value, ctx.Err(), handling.Err())
		return nil
	})
	fmt.Println(p.Run(ctx))
	// Output:
	// hello context canceled <nil>
	// <nil>
}

// A Handler is a function. Its error sends the entry back to be tried again.
func ExampleHandler() {
	var handler pipeline.Handler[string, string] = func(_ context.Context, e wordEntry) error {
		fmt.Println(e.Value, "attempt", e.Attempts)
		if e.Attempts < 2 {
			return errors.New("not today")
		}
		return nil
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(handler)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello attempt 1
	// hello attempt 2
	// <nil>
}

func ExamplePipeline_Consume() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(_ context.Context, e wordEntry) error {
		fmt.Println(e.Value)
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello
	// <nil>
}

// A panic is an error like any other, with the stack.
func ExamplePanicError() {
	p := newWords(pipeline.Config[string, string]{
		Attempts: 1,
		DeadLetter: func(_ context.Context, e wordEntry, err error) {
			var panicked *pipeline.PanicError
			if errors.As(err, &panicked) {
				fmt.Println(panicked.Value, len(panicked.Stack) > 0)
			}
			fmt.Println(err)
		},
	})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(context.Context, wordEntry) error { panic("oops") })
	fmt.Println(p.Run(context.Background()))
	// Output:
	// oops true
	// panic: oops
	// <nil>
}

// hanging runs a pipeline whose handler waits for its cancellation, which comes
// at the drain deadline.
func hanging() (*pipeline.Pipeline[string, string], error) {
	ctx, cancel := context.WithCancel(context.Background())
	p := newWords(pipeline.Config[string, string]{DrainTimeout: time.Millisecond})
	p.Produce(pipeline.Producer[string]{Source: untilCancelled("hello")})
	p.Consume(func(handling context.Context, e wordEntry) error {
		cancel()
		<-handling.Done()
		return handling.Err()
	})
	return p, p.Run(ctx)
}

// What was not finished by DrainTimeout can be read, and saved.
func ExamplePipeline_Waiting() {
	p, err := hanging()
	fmt.Println(err)
	for e := range p.Waiting() {
		fmt.Println(e.Value, "waits")
	}
	// Output:
	// pipeline: entries left behind: 1 waiting, 0 in handlers
	// hello waits
}

func ExampleUnfinishedError() {
	_, err := hanging()
	var unfinished *pipeline.UnfinishedError
	if errors.As(err, &unfinished) {
		fmt.Println(unfinished.Waiting, "waiting,", unfinished.Leased, "in handlers")
	}
	// Output: 1 waiting, 0 in handlers
}

// A handler that does not return when it is cancelled is left behind.
func ExampleStuckError() {
	ctx, cancel := context.WithCancel(context.Background())
	p := newWords(pipeline.Config[string, string]{DrainTimeout: time.Millisecond, Grace: time.Millisecond})
	p.Produce(pipeline.Producer[string]{Source: untilCancelled("hello")})
	release := make(chan struct{})
	p.Consume(func(context.Context, wordEntry) error {
		cancel()
		<-release
		return nil
	})
	err := p.Run(ctx)
	var stuck *pipeline.StuckError
	if errors.As(err, &stuck) {
		fmt.Println(stuck.Names)
	}
	close(release)
	// Output: [worker 1]
}
