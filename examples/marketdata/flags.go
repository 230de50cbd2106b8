package main

import (
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/rs/zerolog"
)

// options are the flags.
type options struct {
	symbols  int
	rate     int
	consume  time.Duration
	workers  int
	interval time.Duration
	base     int
	high     time.Duration
	duration time.Duration
	seed     uint64
	via      string
	json     bool
	verbose  bool
}

// Values of -via.
const (
	viaMemory    = "memory"
	viaWatermill = "watermill"
)

// parseFlags returns the options. An error has been printed to stderr: it names
// the flag at fault and what is expected. The error of -h is flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("marketdata", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.symbols, "symbols", 500, "`number` of symbols; a few of them get most of the quotes")
	f.IntVar(&o.rate, "rate", 200_000, "`quotes` a second that the exchange produces, in bursts")
	f.DurationVar(&o.consume, "consume", time.Millisecond, "`duration` that a quote takes; six times as long in the middle third")
	f.IntVar(&o.workers, "workers", 1, "`number` of quotes processed at once")
	f.DurationVar(&o.interval, "interval", 200*time.Microsecond, "`duration` from one beat of the metronome to the next")
	f.IntVar(&o.base, "base", 10, "`beats` for each read while the consumer keeps up")
	f.DurationVar(&o.high, "high", 5*time.Millisecond, "`duration` of a read above which the governor slows the reads")
	f.DurationVar(&o.duration, "duration", 15*time.Second, "`duration` during which the exchange produces quotes")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that determines the quotes")
	f.StringVar(&o.via, "via", viaMemory, "`way` from the exchange to the pipeline: memory or watermill")
	f.BoolVar(&o.json, "json", false, "print the summary as one JSON object in the last line too")
	f.BoolVar(&o.verbose, "v", false, "log what the pipeline and the governor do")
	if err := f.Parse(args); err != nil {
		return o, err
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

func (o options) validate() error {
	switch {
	case o.symbols < 1:
		return fmt.Errorf("-symbols must be at least 1, got %d", o.symbols)
	case o.rate < 1:
		return fmt.Errorf("-rate must be at least 1 quote a second, got %d", o.rate)
	case o.consume <= 0:
		return fmt.Errorf("-consume must be longer than 0, got %v", o.consume)
	case o.workers < 1:
		return fmt.Errorf("-workers must be at least 1, got %d", o.workers)
	case o.interval <= 0:
		return fmt.Errorf("-interval must be longer than 0, got %v", o.interval)
	case o.base < 1:
		return fmt.Errorf("-base must be at least 1 beat, got %d", o.base)
	case o.high <= 0:
		return fmt.Errorf("-high must be longer than 0, got %v", o.high)
	case o.duration <= 0:
		return fmt.Errorf("-duration must be longer than 0, got %v", o.duration)
	case o.via != viaMemory && o.via != viaWatermill:
		return fmt.Errorf("-via must be %s or %s, got %q", viaMemory, viaWatermill, o.via)
	}
	return nil
}

// newLogger writes to w what a person can read, if it is verbose.
func newLogger(verbose bool, w io.Writer) zerolog.Logger {
	if !verbose {
		return zerolog.Nop()
	}
	console := zerolog.ConsoleWriter{Out: w, TimeFormat: "15:04:05.000"}
	return zerolog.New(console).With().Timestamp().Logger()
}
