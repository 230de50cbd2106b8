// Quotas shows three tenants on one pipeline, one of them greedy, and what quotas
// do about it.
//
//	go run ./examples/quotas
//	go run ./examples/quotas -quotas=false
//	go run ./examples/quotas -duration 10s -json
//
// The tenants send readings of their devices. A producer decodes a reading, which
// takes it 2 ms, and puts it into the cache. The consumer handles 1000 of them a
// second, and the cache has room for 512 entries. A producer that finds no room
// waits for it, first come first served.
//
// birch and cedar have one producer each, and 200 readings a second. acme has
// fourteen producers, which always have a next reading and could do 7000. With
// -quotas=false they fill the cache and stand in line for every place that gets
// free. Each producer gets one place in sixteen, so birch and cedar get 62 a second
// and acme nearly 900. Nothing fails and nothing is dropped, but what birch and
// cedar cannot send in time is not sent.
//
// With quotas each tenant has 4 % of the time of all producers, which is 640 ms a
// second with 16 of them: 320 readings. What counts is the decoding. The wait for
// room is no work, and is charged to nobody. birch and cedar need 2.5 % and do not
// notice their quota. acme is held to its 4 %: its producers wait before they take
// the next reading, and not in the line for the cache, where there is room now.
//
// In the middle of the run the program halves acme's quota by changing the directory
// that the pipeline watches, as the command headrace-quotas does. The command can be
// used too while the program runs; what to try is printed first.
//
// Once a second it prints a line for each tenant: readings that went into the cache,
// the share of the producers' time as the program measures it by itself, the quota
// and what it comes to, how often the tenant was told to wait in that second, and
// how many of its producers wait now.
//
// The exit status is 1 if a run fails, and 2 if a flag makes no sense.
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
	if err := share(ctx, o, stdout); err != nil {
		fmt.Fprintln(stderr, "quotas:", err)
		return 1
	}
	return 0
}

// share runs the tenants, with quotas if asked to, and prints what came of it.
func share(ctx context.Context, o options, stdout io.Writer) error {
	s := newSession(o, stdout)
	if o.quotas {
		settings, err := newSettings(o.dir, s.monitor.producers)
		if err != nil {
			return err
		}
		defer settings.remove()
		if err := s.limitBy(settings); err != nil {
			return err
		}
	}
	if err := s.run(ctx); err != nil {
		return err
	}
	s.monitor.sumUp().print(stdout, o.json)
	return nil
}
