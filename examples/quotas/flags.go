package main

import (
	"flag"
	"fmt"
	"io"
	"time"
)

// options are the flags.
type options struct {
	duration time.Duration
	dir      string
	quotas   bool
	json     bool
}

// parseFlags returns the options. An error has been printed to stderr: it names
// the flag at fault and what is expected. The error of -h is flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("quotas", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&o.duration, "duration", 12*time.Second, "`duration` of the run; acme's quota is lowered in the middle")
	f.StringVar(&o.dir, "config-dir", "", "`directory` of the quotas, which is kept; without one, a temporary directory")
	f.BoolVar(&o.quotas, "quotas", true, "set quotas; -quotas=false shows what happens without them")
	f.BoolVar(&o.json, "json", false, "print the summary as one JSON object in the last line too")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	err := o.validate()
	if f.NArg() > 0 {
		err = fmt.Errorf("argument %q: expected flags only, see -h", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "quotas:", err)
	}
	return o, err
}

func (o options) validate() error {
	switch {
	case o.duration < 4*time.Second:
		return fmt.Errorf("-duration must be at least 4s, since the table has a line each second, got %v", o.duration)
	case o.dir != "" && !o.quotas:
		return fmt.Errorf("-config-dir %q has no effect with -quotas=false", o.dir)
	}
	return nil
}
