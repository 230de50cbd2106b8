package main

import (
	"flag"
	"fmt"
	"io"
	"time"
)

// options are the flags.
type options struct {
	workers    int
	partitions int
	keys       int
	rate       int
	duration   time.Duration
	kill       bool
	ackWait    time.Duration
	write      time.Duration
	json       bool
}

// parseFlags returns the options. An error has been printed to stderr: it names
// the flag at fault and what is expected. The error of -h is flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("scaleout", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.workers, "workers", 3, "`number` of worker processes")
	f.IntVar(&o.partitions, "partitions", 12, "`number` of partitions")
	f.IntVar(&o.keys, "keys", 2400, "`number` of symbols")
	f.IntVar(&o.rate, "rate", 8000, "`quotes` published a second")
	f.DurationVar(&o.duration, "duration", 20*time.Second, "`duration` of the publishing")
	f.BoolVar(&o.kill, "kill", false, "kill a worker after a third of the run, and start it again after half of it")
	f.DurationVar(&o.ackWait, "ack-wait", 3*time.Second, "`time` after which the broker gives up on a worker that it hears nothing of")
	f.DurationVar(&o.write, "write", 50*time.Millisecond, "`time` that the sink takes for up to 16 entries of a partition")
	f.BoolVar(&o.json, "json", false, "print the summary as one JSON object in the last line")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	err := o.validate()
	if f.NArg() > 0 {
		err = fmt.Errorf("argument %q: expected flags only, see -h", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "scaleout:", err)
	}
	return o, err
}

func (o options) validate() error {
	switch {
	case o.workers < 1:
		return fmt.Errorf("-workers must be at least 1, got %d", o.workers)
	case o.kill && o.workers < 2:
		return fmt.Errorf("-kill needs at least 2 -workers, so that one is left, got %d", o.workers)
	case o.partitions < o.workers:
		return fmt.Errorf("-partitions must be at least -workers (%d), so that each has one, got %d", o.workers, o.partitions)
	case o.keys < 1:
		return fmt.Errorf("-keys must be at least 1, got %d", o.keys)
	case o.rate < 1:
		return fmt.Errorf("-rate must be at least 1, got %d", o.rate)
	case o.duration < 3*time.Second:
		return fmt.Errorf("-duration must be at least 3s, got %v", o.duration)
	case o.ackWait < time.Second:
		return fmt.Errorf("-ack-wait must be at least 1s, since a busy machine is late, got %v", o.ackWait)
	case o.write < 0:
		return fmt.Errorf("-write must not be negative, got %v", o.write)
	}
	return nil
}

// window is how many messages of a partition may be in hand. It is well above
// the number of its symbols: quotes can meet only while they are in hand.
func (o options) window() int {
	return max(1000, 4*o.keys/o.partitions)
}
