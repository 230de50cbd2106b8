// Router is a Watermill router whose handler is slower than its topic, with
// three lines more: they hand it the latest quote of each symbol.
//
//	go run ./router
//	go run ./router -pubsub nats
//	go run ./router -pubsub amqp -url amqp://guest:guest@127.0.0.1:5672/
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

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/examples/watermill/brokers"
	"github.com/headrace/headrace/examples/watermill/feed"
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
	f, err := feed.Parse("router", args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := conflate(ctx, f, stdout); err != nil {
		fmt.Fprintln(stderr, "router:", err)
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
	router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
	if err != nil {
		return err
	}
	router.AddConsumerHandler("quotes", f.Topic, broker, func(m *message.Message) error {
		q, err := feed.Decode(m)
		if err != nil {
			return err
		}
		return c.Handle(m.Context(), q)
	})

	// The three lines, and one for each error. Drain below is the third.
	conflator, err := pubsub.NewConflator(pubsub.ConflateOptions{Key: pubsub.MetadataKey(feed.SymbolKey)})
	if err != nil {
		return err
	}
	router.AddSubscriberDecorators(conflator.Decorate)

	var drained error
	drain := func() { drained = conflator.Drain(context.WithoutCancel(ctx)) } // ends the router too
	if err := errors.Join(f.Drive(ctx, broker, c, router.Run, drain), drained); err != nil {
		return err
	}
	return c.Result().Print(stdout, f.JSON)
}
