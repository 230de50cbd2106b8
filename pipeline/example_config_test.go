package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// word is a value that is its own key.
func word(s string) string { return s }

// words is a source of words.
func words(all ...string) pipeline.Source[string] { return pipeline.FromSeq(slices.Values(all)) }

// wordEntry is what the handlers of words get.
type wordEntry = cache.Entry[string, string]

// newWords returns a pipeline of words; the examples' configurations are valid.
func newWords(c pipeline.Config[string, string]) *pipeline.Pipeline[string, string] {
	c.Key = word
	p, err := pipeline.New(c)
	if err != nil {
		panic(err)
	}
	return p
}

// An entry that fails in its last attempt goes to DeadLetter.
func ExampleConfig() {
	p, err := pipeline.New(pipeline.Config[string, string]{
		Key:      word,
		Attempts: 3,
		Backoff:  pipeline.Backoff{First: time.Millisecond},
		DeadLetter: func(_ context.Context, e wordEntry, err error) {
			fmt.Printf("%s is dead after %d attempts: %v\n", e.Value, e.Attempts, err)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Produce(pipeline.Producer[string]{Source: words("poison")})
	p.Consume(func(context.Context, wordEntry) error { return errors.New("too bitter") })
	fmt.Println(p.Run(context.Background()))
	// Output:
	// poison is dead after 3 attempts: too bitter
	// <nil>
}

// The delay doubles with each attempt: 1, 2, 4, 4 ms.
func ExampleBackoff() {
	p := newWords(pipeline.Config[string, string]{
		Attempts: 5,
		Backoff:  pipeline.Backoff{First: time.Millisecond, Max: 4 * time.Millisecond},
	})
	p.Produce(pipeline.Producer[string]{Source: words("poison")})
	p.Consume(func(context.Context, wordEntry) error { return errors.New("too bitter") })
	began := time.Now()
	fmt.Println(p.Run(context.Background()))
	fmt.Println("at least 11 ms:", time.Since(began) >= 11*time.Millisecond)
	// Output:
	// <nil>
	// at least 11 ms: true
}

// The message names the field.
func ExampleNew() {
	_, err := pipeline.New(pipeline.Config[string, string]{Key: word, Workers: -1})
	fmt.Println(err)
	fmt.Println(errors.Is(err, pipeline.ErrConfig))
	// Output:
	// pipeline: invalid configuration: Workers must be from 1 to 1048576, got -1
	// true
}

// Run returns ErrConfig for what New could not know.
func ExampleErrConfig() {
	p := newWords(pipeline.Config[string, string]{})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	err := p.Run(context.Background())
	fmt.Println(err)
	fmt.Println(errors.Is(err, pipeline.ErrConfig))
	// Output:
	// pipeline: invalid configuration: no consumer: call Consume before Run
	// true
}
