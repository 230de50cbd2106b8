package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = o.run(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "headrace-quotas:", err)
		return 1
	}
	return 0
}

func (o options) run(stdout io.Writer) error {
	if o.alter {
		return o.change(stdout)
	}
	return o.show(stdout)
}
