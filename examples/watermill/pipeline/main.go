// Pipeline feeds a pipeline from any Watermill subscriber. More quotes come in
// than its consumer can handle; it gets the latest one of each symbol.
//
//	go run ./pipeline
//	go run ./pipeline -pubsub nats
//	go run ./pipeline -pubsub redis -url redis://127.0.0.1:6379
//
// gochannel and nats need no server: without -url they run in this process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/examples/watermill/brokers"
	"github.com/headrace/headrace/examples/watermill/feed"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/pubsub"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := feed.Parse("pipeline", args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := conflate(ctx, f, stdout); err != nil {
		fmt.Fprintln(stderr, "pipeline:", err)
		return 1
	}
	return 0
}

func conflate(ctx context.Context, f feed.Feed, stdout io.Writer) error {
	broker, err := brokers.Open(f.Pubsub, f.URL, feed.SymbolKey)
	if err != nil {
		return err
	}
	defer broker.Close()
	c := feed.NewConsumer(f)
	p, err := pipeline.New(pipeline.Config[string, feed.Quote]{Key: feed.Quote.Key})
	if err != nil {
		return err
	}
	p.Produce(pipeline.Producer[feed.Quote]{
		Name:   "quotes",
		Source: pubsub.Subscribe(broker, f.Topic, feed.Decode),
	})
	p.Consume(func(ctx context.Context, e cache.Entry[string, feed.Quote]) error {
		return c.Handle(ctx, e.Value)
	})
	ctx, stop := context.WithCancel(ctx)
	if err := f.Drive(ctx, broker, c, p.Run, stop); err != nil {
		return err
	}
	return c.Result().Print(stdout, f.JSON)
}
