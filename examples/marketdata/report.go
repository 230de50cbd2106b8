package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// second is what the status line tells of a second.
type second struct {
	elapsed time.Duration  // since the start
	stats   pipeline.Stats // of this second
	waits   waitP99
	trades  int // seen by the consumer
	slow    bool
}

// column is one figure of the status line.
type column struct {
	name  string
	width int
	value func(s second) string
}

// report prints a line a second, with the columns that the options ask for.
type report struct {
	w       io.Writer
	columns []column
}

func newReport(w io.Writer, o options) *report {
	r := &report{w: w}
	r.add("time", 5, func(s second) string { return fmt.Sprintf("%.0fs", s.elapsed.Seconds()) })
	r.add("in/s", 8, func(s second) string { return fmt.Sprintf("%.0f", s.stats.In()) })
	r.add("out/s", 6, func(s second) string { return fmt.Sprintf("%.0f", s.stats.Out()) })
	r.add("conflated", 10, func(s second) string { return fmt.Sprintf("%.2f%%", 100*s.stats.Conflation()) })
	if o.interval > 0 {
		r.add("divisor", 8, func(s second) string { return fmt.Sprint(s.stats.Divisor) })
		r.add("rate/s", 7, func(s second) string { return fmt.Sprintf("%.0f", s.stats.Rate) })
	}
	// The age is that of the newest quote in an entry when it was processed:
	// entries wait, but what comes out is fresh.
	r.add("service p99", 12, func(s second) string { return inMilliseconds(s.stats.Service.Quantile(0.99)) })
	r.add("age p99", 9, func(s second) string { return inMilliseconds(s.stats.Age.Quantile(0.99)) })
	r.add("waiting", 8, func(s second) string { return fmt.Sprint(s.stats.Ledger.Waiting) })
	if o.limit != nil {
		r.add("limit", 6, func(s second) string { return fmt.Sprint(s.stats.Limit.Limit) })
		r.add("in flight", 10, func(s second) string { return fmt.Sprint(s.stats.Limit.InFlight) })
	}
	if o.maxAge > 0 {
		r.add("overdue", 8, func(s second) string { return fmt.Sprint(s.stats.Overdue) })
	}
	if o.trades {
		r.add("trades", 7, func(s second) string { return fmt.Sprint(s.trades) })
	}
	if o.priority {
		r.add("high-value wait", 16, func(s second) string { return inMilliseconds(s.waits.highValue) })
		r.add("others' wait", 13, func(s second) string { return inMilliseconds(s.waits.others) })
	}
	return r
}

func (r *report) add(name string, width int, value func(s second) string) {
	r.columns = append(r.columns, column{name, width, value})
}

func (r *report) heading() {
	r.line("", func(c column) string { return c.name })
}

func (r *report) second(s second) {
	remark := ""
	if s.slow {
		remark = "  slow consumer"
	}
	r.line(remark, func(c column) string { return c.value(s) })
}

func (r *report) line(remark string, cell func(column) string) {
	var b strings.Builder
	for _, c := range r.columns {
		fmt.Fprintf(&b, "%*s ", c.width, cell(c))
	}
	fmt.Fprintln(r.w, strings.TrimRight(b.String(), " ")+remark)
}

func inMilliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", milliseconds(d)) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
