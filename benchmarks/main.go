package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // the second interrupt ends the program
	status := run(ctx, os.Args[1:], all, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program, for the cases that gather returns. It returns the exit
// status.
func run(ctx context.Context, args []string, gather func(bench.Options) []bench.Case, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	cases := gather(bench.Options{Quick: o.quick, Replay: o.replay})
	if err := bench.Validate(cases); err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 1
	}
	cases, err = choose(cases, o.scenarios)
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 2
	}
	if o.list {
		list(stdout, cases)
		return 0
	}
	if err := o.checkReplay(scenarioNames(cases)); err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 2
	}
	if err := o.makeOut(); err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 2
	}
	r, incomplete := measure(ctx, cases, o, stderr)
	if err := publish(r, o, stdout); err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 1
	}
	if incomplete != nil {
		fmt.Fprintln(stderr, "benchmarks: the results are partial:", incomplete)
		return 1
	}
	if o.check && !bench.Guard(r.Rows) {
		fmt.Fprintln(stderr, "benchmarks: a bar does not hold or a side failed, see the table")
		return 1
	}
	return 0
}

// patience is how long a measurement may take: much longer than any does on a
// slow machine.
const patience = 30 * time.Second

// measure runs the cases. Its error is that of ctx, or says who hangs.
func measure(ctx context.Context, cases []bench.Case, o options, stderr io.Writer) (report.Report, error) {
	r := report.Report{
		Machine: report.ThisMachine(),
		Started: time.Now(),
		Options: report.Options{
			Scenarios: scenarioNames(cases),
			Quick:     o.quick,
			Runs:      o.runs,
			AboutMS:   float64(o.about()) / float64(time.Millisecond),
			Margin:    o.margin,
			Replay:    o.replay,
		},
	}
	runner := bench.Runner{Runs: o.runs, About: o.about(), Patience: patience, Progress: newProgress(stderr)}
	results, err := runner.Run(ctx, cases)
	r.Seconds = time.Since(r.Started).Seconds()
	r.Interrupted = err != nil
	r.Results = results
	r.Rows = bench.Rows(results, o.margin)
	return r, err
}

// publish prints the table, and writes the files if they are asked for.
func publish(r report.Report, o options, stdout io.Writer) error {
	if err := r.WriteTable(stdout, o.all, isTerminal(stdout) && os.Getenv("NO_COLOR") == ""); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	if err := r.Write(o.out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "Written: %s\n", filepath.Join(o.out, report.PageFile))
	return err
}
