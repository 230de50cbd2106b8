package main

import (
	"fmt"
	"io"
	"time"

	"github.com/headrace/headrace/pipeline"
)

func printHeading(w io.Writer) {
	fmt.Fprintln(w, " time     in/s  out/s  conflated  divisor  rate/s  service p99   age p99  waiting")
}

// printSecond prints a line about the last second. The age is that of the newest
// quote in an entry when it was processed: entries wait, but what comes out is
// fresh.
func printSecond(w io.Writer, elapsed time.Duration, last pipeline.Stats, slow bool) {
	remark := ""
	if slow {
		remark = "  slow consumer"
	}
	fmt.Fprintf(w, "%4.0fs %8.0f %6.0f %9.2f%% %8d %7.0f %9.1f ms %6.1f ms %8d%s\n",
		elapsed.Seconds(), last.In(), last.Out(), 100*last.Conflation(), last.Divisor, last.Rate,
		milliseconds(last.Service.Quantile(0.99)), milliseconds(last.Age.Quantile(0.99)),
		last.Ledger.Waiting, remark)
}
