package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"time"
)

// options are the flags of the command.
type options struct {
	file    string
	speed   float64
	consume time.Duration
	workers int
	json    bool
}

// parseOptions returns the options, or the error that it has written to stderr.
func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("orderbook", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.file, "file", "", "`path` of the events, CSV or gzipped CSV (required)")
	flags.Float64Var(&o.speed, "speed", 0, "multiple of the recorded pace: 1 is as recorded, 0 as fast as possible")
	flags.DurationVar(&o.consume, "consume", 0, "delay of the consumer for each update")
	flags.IntVar(&o.workers, "workers", 1, "number of consumer goroutines")
	flags.BoolVar(&o.json, "json", false, "write the result as one line of JSON")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	err := o.validate()
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		flags.Usage()
	}
	return o, err
}

func (o options) validate() error {
	switch {
	case o.file == "":
		return fmt.Errorf("flag -file must be set")
	case !(o.speed >= 0) || math.IsInf(o.speed, 0): // NaN compares to nothing
		return fmt.Errorf("flag -speed must be a number from 0, got %v", o.speed)
	case o.consume < 0:
		return fmt.Errorf("flag -consume must not be negative, got %v", o.consume)
	case o.workers < 1:
		return fmt.Errorf("flag -workers must be at least 1, got %d", o.workers)
	}
	return nil
}
