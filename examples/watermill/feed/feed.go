package feed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/headrace/headrace/examples/watermill/brokers"
)

// Feed is the settings of a run.
type Feed struct {
	Pubsub, URL string
	Topic       string
	Symbols     int
	Prices      int           // of each symbol
	Handling    time.Duration // of a quote
	Timeout     time.Duration
	JSON        bool
}

// Parse parses the flags.
func Parse(name string, args []string, stderr io.Writer) (f Feed, err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&f.Pubsub, "pubsub", "gochannel", "the broker: "+brokers.Names)
	flags.StringVar(&f.URL, "url", "", "where the broker is; default: on this machine, and for gochannel and nats in this process")
	flags.IntVar(&f.Symbols, "symbols", 5, "number of symbols")
	flags.IntVar(&f.Prices, "prices", 200, "prices of each symbol")
	flags.DurationVar(&f.Handling, "handling", 5*time.Millisecond, "what a quote takes the consumer")
	flags.DurationVar(&f.Timeout, "timeout", time.Minute, "give up after it")
	flags.BoolVar(&f.JSON, "json", false, "print the result as JSON")
	if err := flags.Parse(args); err != nil {
		return f, err
	}
	f.Topic = "quotes-" + watermill.NewShortUUID() // so that nothing of an earlier run comes in
	if f.Symbols < 1 || f.Prices < 1 || f.Handling < 0 || f.Timeout <= 0 {
		err = fmt.Errorf("-symbols, -prices and -timeout must be more than 0, -handling not less")
		fmt.Fprintln(stderr, name+":", err)
	}
	return f, err
}

// Drive runs a program that consumes: it publishes when the program has
// subscribed, and calls stop when the consumer has seen it all or ctx ends.
func (f Feed) Drive(ctx context.Context, b *brokers.Broker, c *Consumer, program func(context.Context) error, stop func()) error {
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	var (
		errs [2]error
		both sync.WaitGroup
	)
	both.Go(func() {
		defer cancel()
		errs[0] = program(ctx)
	})
	both.Go(func() {
		if errs[1] = f.publish(ctx, b); errs[1] != nil {
			cancel()
		}
	})
	select {
	case <-c.All():
	case <-ctx.Done():
	}
	stop()
	both.Wait()
	return errors.Join(errs[:]...)
}

// publish publishes all prices of all symbols, as fast as the broker takes them.
func (f Feed) publish(ctx context.Context, b *brokers.Broker) error {
	select {
	case <-b.Subscribed():
	case <-ctx.Done():
	}
	for price := range f.Prices {
		for symbol := range f.Symbols {
			if ctx.Err() != nil {
				return nil
			}
			q := Quote{Symbol: fmt.Sprint("S", symbol+1), Price: price + 1}
			if err := b.Publish(f.Topic, q.Encode()); err != nil {
				return fmt.Errorf("publish: %w", err)
			}
		}
	}
	return nil
}
