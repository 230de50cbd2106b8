package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newProgress returns what shows on w how far a run is: a bar if w is a terminal,
// otherwise a line for every tenth of it.
func newProgress(w io.Writer) func(bench.Step) {
	if isTerminal(w) {
		return bar(w)
	}
	return lines(w)
}

func bar(w io.Writer) func(bench.Step) {
	var b *progressbar.ProgressBar
	return func(s bench.Step) {
		if b == nil {
			b = progressbar.NewOptions(s.Total,
				progressbar.OptionSetWriter(w),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionShowCount(),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionFullWidth(),
			)
		}
		if s.Scenario == "" {
			b.Clear() // the table follows
			return
		}
		b.Describe(describe(s))
		b.Set(s.Done)
	}
}

func lines(w io.Writer) func(bench.Step) {
	last := -1
	return func(s bench.Step) {
		if tenth := 10 * s.Done / max(s.Total, 1); tenth != last {
			last = tenth
			fmt.Fprintf(w, "%3d %%: %d of %d measurements, run %d of %d\n", 10*tenth, s.Done, s.Total, s.Run, s.Runs)
		}
	}
}

// describe returns what is measured, short enough to stand beside a bar.
func describe(s bench.Step) string {
	what := []rune(fmt.Sprintf("%s: %s", s.Scenario, s.Side))
	if len(what) > 32 {
		what = append(what[:31], '…')
	}
	return fmt.Sprintf("run %d/%d %-32s", s.Run, s.Runs, string(what))
}
