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

	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // the second interrupt ends the program
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &output{w: stdout, failed: cancel}
	s, err := conflate(ctx, o, out, stderr)
	if err == nil {
		s.print(out, o)
		err = errors.Join(s.check(), out.err)
	}
	if err != nil {
		fmt.Fprintln(stderr, "marketdata:", err)
	}
	switch {
	case errors.Is(err, pipeline.ErrConfig):
		return 2
	case err != nil:
		return 1
	}
	return 0
}

// conflate joins the exchange and the consumer by a pipeline, and runs it until
// the exchange closes or ctx is cancelled.
func conflate(ctx context.Context, o options, stdout, stderr io.Writer) (summary, error) {
	log := newLogger(o.verbose, stderr)
	slow := middleThird(time.Now(), o.duration)
	exchange := newExchange(o)
	consumer := newConsumer(o, slow)
	monitor := newMonitor(o, slow, consumer, stdout)

	p, err := pipeline.New(pipeline.Config[string, Update]{
		Name:      "marketdata",
		Key:       Update.Key,
		Op:        Update.Op,
		Cache:     o.cache(),
		Metronome: metronome.Options{Interval: o.interval},
		Governor:  o.governor(monitor.decided),
		Limit:     o.limit,
		Workers:   o.workers,
		Logger:    log,
	})
	if err != nil {
		return summary{}, err
	}
	source := pipeline.FromFunc(exchange.source)
	if o.via == viaWatermill {
		broker := newBroker(log)
		source = broker.source()
		go broker.publish(exchange)
	}
	p.Produce(pipeline.Producer[Update]{Name: "exchange", Source: pipeline.Via(source, updates)})
	p.Consume(consumer.handle)

	if o.http != "" {
		stop, err := serve(o.http, p, stdout)
		if err != nil {
			return summary{}, err
		}
		defer stop()
	}
	s := session{exchange, consumer, monitor, p, o.duration, slow, stderr}
	sum, err := s.run(ctx)
	if err == nil && o.calibrate {
		sum.Proposed, err = o.propose(monitor.closed.Service)
	}
	return sum, err
}

// updates is the chain between the source and the cache.
func updates(ticks iter.Seq[Tick]) iter.Seq[Update] {
	complete := operators.Filter(ticks, Tick.Complete)
	updates := operators.Map(complete, Tick.Update)
	return operators.Changed(updates, Update.Series, Update.Equal)
}
