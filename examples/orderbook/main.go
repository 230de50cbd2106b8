// Command orderbook replays the order events of one market and keeps its book
// in a slow consumer up to date.
//
//	go run ./examples/orderbook -file events.csv.gz -consume 200us -workers 4
//
// The file holds market-by-order events: one row for each order that is added,
// modified or cancelled. It may be compressed with gzip. Its columns are
//
//	ts_recv_ns,ts_event_ns,action,side,price,size,order_id,sequence
//
// The producer region builds the book from the orders and hands out the new
// size of every price level that changes. A level that changes again while it
// still waits is overwritten. The consumer region rebuilds the book from what
// is left: fewer updates, but the same book in the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt kills
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It returns the exit code: 1 for a failure, 2 for flags
// that make no sense.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	result, err := replay(ctx, o, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "orderbook:", err)
		return 1
	}
	if err := result.write(stdout, o.json); err != nil {
		fmt.Fprintln(stderr, "orderbook:", err)
		return 1
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "orderbook: interrupted after", result.Events, "events")
		return 0 // the input was cut short, so the books may differ by an event
	}
	if err := result.check(); err != nil {
		fmt.Fprintln(stderr, "orderbook:", err)
		return 1
	}
	return 0
}
