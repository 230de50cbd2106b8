package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/scenario/load/mbo"
)

// options are the flags.
type options struct {
	scenarios []string // empty for all
	quick     bool
	runs      int
	out       string // directory; empty for none
	replay    string // file; empty for a made-up one
	check     bool
	margin    float64
	list      bool
	all       bool
}

// about returns what a measurement should take.
func (o options) about() time.Duration {
	if o.quick {
		return 50 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// makeOut makes the directory of -out, so that a run is not lost for the want of
// it.
func (o options) makeOut() error {
	if o.out == "" {
		return nil
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return nil
}

// checkReplay reads the recording once, so that a bad one is told before all else
// has been measured.
func (o options) checkReplay(scenarios []string) error {
	if o.replay == "" {
		return nil
	}
	if !slices.Contains(scenarios, "replay") {
		return fmt.Errorf("-replay: expected the scenario replay among %s", strings.Join(scenarios, ", "))
	}
	if _, err := mbo.Read(o.replay); err != nil {
		return fmt.Errorf("-replay: %w", err)
	}
	return nil
}

// parseFlags returns the options. An error has been printed to stderr: it names
// the flag at fault and what is expected. The error of -h is flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Func("scenario", "`names` of scenarios, as merge,cycle; all without it, see -list", o.addScenarios)
	f.BoolVar(&o.quick, "quick", false, "smaller cases and measurements of 50 ms instead of 500 ms: everything in less than 90 s on two\ncores")
	f.IntVar(&o.runs, "runs", 0, "`number` of runs, of which the figures are medians; 0 for 7, with -quick for 5")
	f.StringVar(&o.out, "out", "", "`directory` for report.html, results.json, bars.csv and samples.csv; it is made if it does not exist")
	f.StringVar(&o.replay, "replay", "", "`file` that the scenario replay plays: market-by-order CSV, plain or gzip, as examples/orderbook\nreads it; without it one is made up")
	f.BoolVar(&o.check, "check", false, "exit with 1 if a bar does not hold in the median or a side fails; a goal that is not reached is no\nfailure")
	f.Float64Var(&o.margin, "margin", 1, "`factor` from 1 that makes every bar easier, though no goal, so that a noisy machine can check them: with 1.5 a bar\nof <= 0.8 becomes <= 1.2, one of >= 3 becomes >= 2")
	f.BoolVar(&o.list, "list", false, "print the scenarios and their cases, and measure nothing")
	f.BoolVar(&o.all, "all", false, "print all rows, not only those with a bar or a goal; the files of -out have all in any case")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	err := o.validate()
	if f.NArg() > 0 {
		err = fmt.Errorf("argument %q: expected flags only, see -h", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
	}
	if o.runs == 0 {
		o.runs = 7
		if o.quick {
			o.runs = 5
		}
	}
	return o, err
}

// addScenarios adds the names in the value of -scenario.
func (o *options) addScenarios(value string) error {
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("expected names joined by commas")
		}
		o.scenarios = append(o.scenarios, name)
	}
	return nil
}

func (o options) validate() error {
	if o.runs < 0 {
		return fmt.Errorf("-runs %d: expected a number from 1, or 0 for the default", o.runs)
	}
	if !(o.margin >= 1 && o.margin <= 1000) { // not a NaN either
		return fmt.Errorf("-margin %v: expected a factor from 1 to 1000", o.margin)
	}
	if o.replay == "" {
		return nil
	}
	info, err := os.Stat(o.replay)
	switch {
	case err != nil:
		return fmt.Errorf("-replay: %w", err)
	case info.IsDir():
		return fmt.Errorf("-replay %s: expected a file, this is a directory", o.replay)
	}
	return nil
}
