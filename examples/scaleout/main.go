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
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		if err := work(os.Args[2:], os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, "scaleout: worker:", err)
			os.Exit(1)
		}
		return
	}
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
	s := &session{options: o, out: newConsole(stdout)}
	sum, err := s.run(ctx, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "scaleout:", err)
		return 1
	}
	sum.print(stdout, o.json)
	if !sum.right() {
		return 1
	}
	return 0
}
