package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// defaultWorkers is what budgets are shown for if nothing is said.
const defaultWorkers = 8

// options is what the command line asks for.
type options struct {
	dir      quota.Dir
	alter    bool
	describe bool
	changes  []quota.Change
	entities entities
	workers  int
	window   time.Duration
}

// parseOptions writes help to stdout and returns flag.ErrHelp if it is asked for.
func parseOptions(args []string, stdout io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("headrace-quotas", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned, and told once
	var dir string
	flags.StringVar(&dir, "config-dir", "", "`directory` of the documents; --alter makes it if it is not there")
	flags.BoolVar(&o.alter, "alter", false, "change the quotas of an entity")
	flags.BoolVar(&o.describe, "describe", false, "show quotas")
	flags.Func("add-config", "quotas to set, as `K=V,...`", func(s string) error { return o.add(s) })
	flags.Func("delete-config", "quotas to remove, as `K,...`", func(s string) error { return o.remove(s) })
	flags.Func("entity-type", "`type` of the entity: users or clients; both for a user's client-id", o.entities.addType)
	flags.Func("entity-name", "`name` of the entity of the type before it; without one, the default", o.entities.addName)
	flags.IntVar(&o.workers, "workers", defaultWorkers, "`number` of workers that budgets are shown for; the pipeline counts its own")
	flags.DurationVar(&o.window, "window", time.Second, "`time` that budgets are shown for: the window of the pipeline")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stdout)
			help(stdout, flags.PrintDefaults)
		}
		return o, err
	}
	o.dir = quota.Dir(dir)
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is neither a flag nor the value of one (see --help)", flags.Arg(0))
	}
	return o, o.check()
}

func (o options) check() error {
	switch {
	case o.dir == "":
		return errors.New("--config-dir is missing (see --help)")
	case o.alter == o.describe:
		return errors.New("give either --alter or --describe (see --help)")
	case o.describe && len(o.changes) > 0:
		return errors.New("--add-config and --delete-config go with --alter")
	case o.alter && len(o.changes) == 0:
		return errors.New("--alter needs --add-config or --delete-config")
	case o.alter && len(o.entities.parts) == 0:
		return errors.New("--alter needs --entity-type")
	case o.workers < 1:
		return fmt.Errorf("--workers must be at least 1, got %d", o.workers)
	case o.window <= 0:
		return fmt.Errorf("--window must be positive, got %v", o.window)
	}
	return nil
}
