package main

import (
	"fmt"
	"io"

	"github.com/headrace/headrace/governor/quota"
)

// line is one of the table.
type line struct {
	clock, name     string
	readings, share float64
	throttled       uint64
	usage           quota.Usage
}

func printHeading(w io.Writer) {
	fmt.Fprintln(w, " time  tenant  readings/s  producer time  quota                            throttled  waiting")
}

func (l line) print(w io.Writer) {
	limit := "none"
	if l.usage.Limit > 0 {
		limit = l.usage.Budget.String()
	}
	fmt.Fprintf(w, "%5s  %-6s %11.0f %12.1f %%  %-32s %9d %8d\n",
		l.clock, l.name, l.readings, l.share, limit, l.throttled, l.usage.Waiting)
}
