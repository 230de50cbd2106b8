package pipeline_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

func ExampleFromSeq() {
	source := pipeline.FromSeq(slices.Values([]string{"hello"}))
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello
	// <nil>
}

// What a reader has at hand goes into the cache together.
func ExampleFromBatches() {
	read := func(context.Context) iter.Seq2[[]string, error] {
		return func(yield func([]string, error) bool) {
			yield([]string{"hello", "world"}, nil)
		}
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: pipeline.FromBatches(read)})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello
	// world
	// <nil>
}

// The run ends when the channel is closed.
func ExampleFromChannel() {
	ch := make(chan string, 1)
	ch <- "hello"
	close(ch)
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: pipeline.FromChannel(ch)})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello
	// <nil>
}

// slip is a receipt that prints how it was settled.
type slip string

func (s slip) Ack() bool {
	fmt.Println("acknowledged", s)
	return true
}

func (s slip) Nack() bool {
	fmt.Println("refused", s)
	return true
}

// A source of one's own yields deliveries. The receipt is acknowledged when the
// value is in the cache, or is invalid.
func ExampleSource() {
	var source pipeline.Source[string] = func(ctx context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			_ = yield(pipeline.Delivery[string]{Value: "hello", Receipt: slip("message 1")}, nil) &&
				yield(pipeline.Delivery[string]{Receipt: slip("message 2")}, pipeline.ErrInvalid)
		}
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	// Output:
	// acknowledged message 1
	// acknowledged message 2
	// <nil>
}

// The sequence number of a source reaches the handler.
func ExampleDelivery() {
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			yield(pipeline.Delivery[string]{Value: "hello", Sequence: 17}, nil)
		}
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(func(_ context.Context, e wordEntry) error {
		fmt.Println(e.Value, e.First, e.Last)
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// hello 17 17
	// <nil>
}

// A message that holds several values is one delivery.
func ExampleDelivery_batch() {
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			yield(pipeline.Delivery[string]{Batch: []string{"hello", "world"}, Receipt: slip("the message")}, nil)
		}
	}
	p := newWords(pipeline.Config[string, string]{Metronome: patient})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// acknowledged the message
	// hello
	// world
	// <nil>
}

// A delivery is acknowledged once, when all that a chain made of it is in the
// cache.
func ExampleReceipt() {
	var receipt pipeline.Receipt = slip("the line")
	line := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			yield(pipeline.Delivery[string]{Value: "a b c", Receipt: receipt}, nil)
		}
	}
	split := pipeline.Via(line, func(in iter.Seq[string]) iter.Seq[string] {
		return operators.FlatMap(in, strings.FieldsSeq)
	})
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: split})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.Stats().Ledger.Puts, "words")
	// Output:
	// acknowledged the line
	// 3 words
}

func ExampleVia() {
	source := pipeline.Via(words("hello", "", "world"), func(in iter.Seq[string]) iter.Seq[string] {
		filled := operators.Filter(in, func(s string) bool { return s != "" })
		return operators.Map(filled, strings.ToUpper)
	})
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// HELLO
	// WORLD
	// <nil>
}

// A step may wait, and may run several calls at once.
func ExampleTryVia() {
	look := func(_ context.Context, name string) (string, error) { return "10.0.0." + name, nil }
	source := pipeline.TryVia(words("1", "2"), func(ctx context.Context, in iter.Seq[string]) iter.Seq2[string, error] {
		return operators.Parallel(ctx, in, 2, look)
	})
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: source})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	// Output:
	// 10.0.0.1
	// 10.0.0.2
	// <nil>
}

// A generator that paces itself stops when its context ends.
func ExampleFromFunc() {
	source := pipeline.FromFunc(func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for n := 1; ctx.Err() == nil; n++ {
				if !yield(n*n, nil) {
					return
				}
			}
		}
	})
	for d := range source(context.Background()) {
		fmt.Print(d.Value, " ")
		if d.Value > 10 {
			break
		}
	}
	// Output: 1 4 9 16
}
