package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/headrace/headrace/governor"
)

// parseFlags returns the options. An error has been printed to stderr: it names
// the flag at fault and what is expected. The error of -h is flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("marketdata", flag.ContinueOnError)
	f.SetOutput(stderr)

	f.IntVar(&o.symbols, "symbols", 500, "`number` of symbols; a few of them get most of the quotes")
	f.IntVar(&o.rate, "rate", 200_000, "`quotes` a second that the exchange produces, in bursts")
	f.BoolVar(&o.trades, "trades", false, fmt.Sprintf("send about %d trades a second too, and check that the consumer gets each of them,\nin order and right after the quote before it", tradeRate))
	f.DurationVar(&o.duration, "duration", 15*time.Second, fmt.Sprintf("`duration` during which the exchange produces quotes; then the consumer gets up to %v\nfor what waits, at its pace; 0 until it is interrupted", patience))
	f.Uint64Var(&o.seed, "seed", 1, "`number` that determines the quotes")
	f.StringVar(&o.via, "via", viaMemory, "`way` from the exchange to the pipeline: memory or watermill")

	f.DurationVar(&o.consume, "consume", time.Millisecond, "`duration` that a quote takes outside the middle third")
	f.IntVar(&o.slowdown, "slowdown", 6, "how many `times` as long it takes in the middle third; 1 for no slow third")
	f.IntVar(&o.capacity, "capacity", 0, "`number` of quotes that the consumer works on at full speed; with n times as many in its\nhands each takes n times as long; 0 for any number at full speed")
	f.IntVar(&o.workers, "workers", 1, "`number` of quotes processed at once, at most")

	f.DurationVar(&o.interval, "interval", 200*time.Microsecond, "`duration` from one beat of the metronome to the next; 0 for no pace, with -high 0")
	f.IntVar(&o.base, "base", 10, "`beats` for each read while the consumer keeps up")
	f.DurationVar(&o.high, "high", 5*time.Millisecond, "`duration` of a read above which the governor slows the reads; 0 for no governor: a read each beat")
	f.Func("limit", "`gradient2|N`: bound what the consumer has in hands to N, or to what gradient2 finds from how\nlong the consumer takes, in steps of a second: give it a minute; without it -workers is the bound", o.setLimit)
	f.BoolVar(&o.priority, "priority", false, fmt.Sprintf("give one symbol in %d, those of high value, a head start of %v; the others wait longer", highValueOneIn, headStart))
	f.DurationVar(&o.maxAge, "max-age", 0, "`duration` in the cache after which an entry is read whatever the pace, if a worker is free;\n0 for no limit")

	f.StringVar(&o.http, "http", "", "`address`, as :8080, to serve a live page at, and /metrics for Prometheus")
	f.BoolVar(&o.calibrate, "calibrate", false, "measure the consumer without a pace, one quote at a time and never slow, and propose -high,\n-interval and -base for the given -workers and -capacity")
	f.BoolVar(&o.json, "json", false, "print the summary as one JSON object in the last line too")
	f.BoolVar(&o.verbose, "v", false, "log what the pipeline and the governor do")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.calibrate {
		o = o.unstressed()
	}
	err := o.validate()
	if f.NArg() > 0 {
		err = fmt.Errorf("argument %q: expected flags only, see -h", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "marketdata:", err)
	}
	return o, err
}

// setLimit sets the limit from the value of its flag.
func (o *options) setLimit(value string) error {
	if value == "gradient2" {
		o.limit = &governor.Gradient2{}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return errors.New("expected gradient2 or a number from 1")
	}
	o.limit = governor.Fixed(n)
	return nil
}
