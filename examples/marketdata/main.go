// Marketdata shows a pipeline whose input is hundreds of times faster than its
// consumer, and a governor that paces the reads while the consumer is slow.
//
//	go run ./examples/marketdata
//	go run ./examples/marketdata -duration 9s -json
//	go run ./examples/marketdata -via watermill
//
// A simulated exchange quotes 500 symbols 200,000 times a second. The consumer
// takes a millisecond for each quote it is handed, and six in the middle third
// of the run. What it has no time for is conflated: while a quote waits, a newer
// one of its symbol takes its place.
//
// Once a second it prints a line: quotes that came in and entries that went out,
// the share of the quotes that was conflated, the divisor of the governor (a read
// each so many beats) and the rate of reads that it allows, how long the consumer
// took, how old the newest quote of an entry was when it was processed, and how
// many entries wait. They wait long, but what comes out is fresh: its age
// is the time between two quotes of a symbol, not the time in the cache.
//
// At the end every symbol is checked: the last quote that the consumer saw must
// be the last one that the exchange produced. The exit status is 1 if one is
// not, and 2 if a flag makes no sense.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"time"

	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	s, err := conflate(ctx, o, stdout, stderr)
	if err == nil {
		s.print(stdout, o.json)
		err = s.check()
	}
	if err != nil {
		fmt.Fprintln(stderr, "marketdata:", err)
		return 1
	}
	return 0
}

// conflate joins the exchange and the consumer by a pipeline, and runs it until
// the exchange closes or ctx is cancelled.
func conflate(ctx context.Context, o options, stdout, stderr io.Writer) (summary, error) {
	log := newLogger(o.verbose, stderr)
	slow := middleThird(time.Now(), o.duration)
	exchange := newExchange(o.seed, o.symbols, o.rate)
	consumer := newConsumer(o.consume, slow)
	monitor := newMonitor(o, slow, stdout)

	p, err := pipeline.New(pipeline.Config[string, Quote]{
		Name:      "marketdata",
		Key:       Quote.Key,
		Metronome: metronome.Options{Interval: o.interval},
		Governor:  governor.Options{High: o.high, Base: o.base, OnDecision: monitor.decided},
		Workers:   o.workers,
		Logger:    log,
	})
	if err != nil {
		return summary{}, err
	}
	source := pipeline.Source[Tick](exchange.source)
	if o.via == viaWatermill {
		broker := newBroker(log)
		source = broker.source()
		go broker.publish(exchange)
	}
	p.Produce(pipeline.Producer[Quote]{Name: "exchange", Source: pipeline.Via(source, quotes)})
	p.Consume(consumer.handle)

	s := session{exchange, consumer, monitor, p, o.duration, slow}
	return s.run(ctx)
}

// quotes is the chain between the source and the cache.
func quotes(ticks iter.Seq[Tick]) iter.Seq[Quote] {
	twoSided := operators.Filter(ticks, Tick.TwoSided)
	quotes := operators.Map(twoSided, Tick.Quote)
	return operators.Changed(quotes, Quote.Key, Quote.Equal)
}
