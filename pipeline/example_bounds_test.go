package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
	"github.com/rs/zerolog"
)

// Of 8 workers 2 are at work at a time. What waits goes on coalescing.
func ExampleConfig_limit() {
	p := newWords(pipeline.Config[string, string]{
		Workers: 8,
		Limit:   governor.Fixed(2), // or &governor.Gradient2{}, which finds the number
		LimitErrors: func(err error) governor.Outcome {
			if errors.Is(err, errBusy) {
				return governor.Dropped
			}
			return governor.Ignored
		},
		Backoff: pipeline.Backoff{First: time.Millisecond},
	})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(func(_ context.Context, e wordEntry) error {
		if e.Attempts == 1 {
			return errBusy
		}
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	s := p.Stats().Limit
	fmt.Println("limit", s.Limit, "succeeded", s.Succeeded, "dropped", s.Dropped)
	// Output:
	// <nil>
	// limit 2 succeeded 1 dropped 1
}

var errBusy = errors.New("busy")

// Alice's feeds may send 1000 bytes a second, and those of everybody else as
// many as they like.
func ExampleConfig_quotas() {
	quotas, err := quota.New(quota.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	alice := quota.Entity{User: quota.Named("alice")}
	if err := quotas.Alter(alice, quota.Change{Key: quota.ProducerByteRate, Value: "1000"}); err != nil {
		fmt.Println(err)
		return
	}
	source := func(context.Context) iter.Seq2[pipeline.Delivery[string], error] {
		return func(yield func(pipeline.Delivery[string], error) bool) {
			yield(pipeline.Delivery[string]{Value: "hello", Bytes: 5}, nil)
		}
	}
	p := newWords(pipeline.Config[string, string]{
		Quotas: quotas,
		User:   "bob", ClientID: "reader", // the consumer, whose consumer_byte_rate counts
		Bytes: func(s string) int64 { return int64(len(s)) },
	})
	p.Produce(pipeline.Producer[string]{User: "alice", ClientID: "feed", Source: source})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	for _, u := range p.Stats().Quotas.Entities {
		fmt.Println(u.User, u, "used", u.Total)
	}
	// Output:
	// <nil>
	// alice producer_byte_rate=1000 from users/alice used 5
}

// A word with a minus in front takes the word back.
func ExampleConfig_op() {
	p, err := pipeline.New(pipeline.Config[string, string]{
		Key: func(s string) string { return strings.TrimPrefix(s, "-") },
		Op: func(s string) cache.Op {
			if strings.HasPrefix(s, "-") {
				return cache.Delete
			}
			return cache.Upsert
		},
		Metronome: patient,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Produce(pipeline.Producer[string]{Source: words("hello", "world", "-hello")})
	p.Consume(func(_ context.Context, e wordEntry) error {
		fmt.Println(e.Op, e.Key)
		return nil
	})
	fmt.Println(p.Run(context.Background()))
	// Output:
	// delete hello
	// upsert world
	// <nil>
}

// The drain keeps to the beats: 2 reads every 10 ms.
func ExampleConfig_drainPaced() {
	p := newWords(pipeline.Config[string, string]{
		Metronome:  metronome.Options{Interval: 10 * time.Millisecond},
		Reads:      2,
		Workers:    2,
		DrainPaced: true,
	})
	p.Produce(pipeline.Producer[string]{Source: words("a", "b", "c", "d")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	fmt.Println("two beats:", p.Stats().Elapsed >= 20*time.Millisecond)
	// Output:
	// <nil>
	// two beats: true
}

// A governor slows the reads down while the consumer is late. Entries that have
// waited for longer than MaxAge are read all the same.
func ExampleConfig_governor() {
	p := newWords(pipeline.Config[string, string]{
		Cache:     cache.Options[string, string]{MaxAge: time.Second},
		Metronome: metronome.Options{Interval: time.Millisecond},
		Governor:  governor.Options{High: 50 * time.Millisecond},
	})
	p.Produce(pipeline.Producer[string]{Source: words("hello")})
	p.Consume(print)
	fmt.Println(p.Run(context.Background()))
	s := p.Stats()
	fmt.Println("divisor", s.Divisor, "overdue", s.Overdue)
	// Output:
	// hello
	// <nil>
	// divisor 10 overdue 0
}

// The package documentation lists the events.
func ExampleConfig_logger() {
	p := newWords(pipeline.Config[string, string]{
		Name:   "words",
		Logger: zerolog.New(os.Stdout).Level(zerolog.WarnLevel),
		Op:     func(string) cache.Op { return cache.Append },
		Cache:  cache.Options[string, string]{MaxEntries: 1, Overflow: cache.Reject},

		Metronome: patient,
	})
	p.Produce(pipeline.Producer[string]{Name: "feed", Source: words("hello", "world")})
	p.Consume(func(context.Context, wordEntry) error { return nil })
	fmt.Println(p.Run(context.Background()))
	// Output:
	// {"level":"warn","pipeline":"words","error":"cache: full","producer":"feed","message":"value rejected"}
	// <nil>
}
