package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

func print(_ context.Context, e wordEntry) error {
	fmt.Println(e.Value)
	return nil
}

// Two producers feed one cache.
func ExamplePipeline_Produce() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Name: "left", Source: words("hello", "hello")})
	p.Produce(pipeline.Producer[string]{Name: "right", Source: words("hello")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	for _, r := range p.Stats().Producers {
		fmt.Println(r.Name, r.Received)
	}
	// Output:
	// left 2
	// right 1
}

// What cannot be parsed is told of and passed over.
func ExampleProducer() {
	numbers := pipeline.TryVia(words("1", "two", "3"), func(_ context.Context, in iter.Seq[string]) iter.Seq2[string, error] {
		return operators.TryMap(in, func(s string) (string, error) {
			n, err := strconv.Atoi(s)
			if err != nil {
				return "", fmt.Errorf("%w: %w", pipeline.ErrInvalid, err)
			}
			return strconv.Itoa(10 * n), nil
		})
	})
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{
		Name: "numbers", Source: numbers,
		OnInvalid: func(err error) { fmt.Println(err) },
	})
	var sum int
	p.Consume(func(_ context.Context, e wordEntry) error {
		n, err := strconv.Atoi(e.Value)
		sum += n
		return err
	})
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("sum", sum)
	// Output:
	// pipeline: invalid value: strconv.Atoi: parsing "two": invalid syntax
	// sum 40
}

// Each value the source gave was admitted, rejected or invalid.
func ExampleProducerStats() {
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			_ = yield(pipeline.Delivery[string]{Value: "hello"}, nil) &&
				yield(pipeline.Delivery[string]{}, pipeline.ErrInvalid)
		}
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Name: "feed", Source: source})
	p.Consume(print)
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%+v\n", p.Stats().Producers[0])
	// Output:
	// hello
	// {Name:feed Connected:0 Received:2 Admitted:1 Rejected:0 Invalid:1 Failures:0 Restarts:0}
}

// ErrInvalid tells that the next value may be better. Any other error ends the
// producer, and the run with it.
func ExampleErrInvalid() {
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			_ = yield(pipeline.Delivery[string]{}, fmt.Errorf("%w: garbled", pipeline.ErrInvalid)) &&
				yield(pipeline.Delivery[string]{}, errors.New("line cut"))
		}
	}
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Name: "feed", Source: source})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	fmt.Println(p.Stats().Producers[0].Invalid, "invalid")
	// Output:
	// pipeline: producer "feed": line cut
	// 1 invalid
}
