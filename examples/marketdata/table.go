package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// table prints rows of a name and a text.
type table struct{ w io.Writer }

func (t table) row(name, format string, args ...any) {
	fmt.Fprintf(t.w, "%-13s %s\n", name, fmt.Sprintf(format, args...))
}

// print prints a table of what the options concern, and the JSON object below
// it.
func (s summary) print(w io.Writer, o options) {
	fmt.Fprintln(w)
	t := table{w}
	s.printChecks(t, o)
	s.printPace(t, o)
	s.printTimes(t, o)
	if o.calibrate {
		t.row("proposed", "%s", s.Proposed)
	}
	if o.json {
		line, _ := json.Marshal(s) // plain numbers: it cannot fail
		fmt.Fprintf(w, "%s\n", line)
	}
}

func (s summary) printChecks(t table, o options) {
	ledger := "balanced"
	if !s.Balanced {
		ledger = "DOES NOT BALANCE"
	}
	t.row("updates", "%d in, %d merged, %d out, %d waiting", s.In, s.Merged, s.Out, s.Waiting)
	t.row("ledger", "%s", ledger)
	t.row("last quotes", "right for %d of %d symbols", s.FinalOK, s.Symbols)
	if o.trades {
		t.row("trades", "right for %d of %d", s.TradesOK, s.Trades)
	}
}

func (s summary) printPace(t table, o options) {
	if o.interval > 0 {
		t.row("divisor", "%d at base, %d at most, %d at the end", s.DivisorBase, s.DivisorMax, s.DivisorEnd)
	}
	if o.limit != nil {
		t.row("limit", "%d at the end, %d in flight", s.Limit, s.InFlight)
	}
	if o.maxAge > 0 {
		t.row("overdue", "%d entries read for their age of over %v", s.Overdue, o.maxAge)
	}
	if s.SlowFree == 0 {
		t.row("slow third", "not reached")
		return
	}
	if o.slowdown > 1 {
		t.row("slow third", "%.0f reads/s; the consumer could do %.0f", s.SlowOut, s.SlowFree)
	}
	t.row("last third", "%.0f reads/s, service p99 %.1f ms", s.LastOut, s.LastServiceP99)
}

func (s summary) printTimes(t table, o options) {
	if o.priority {
		t.row("wait p99", "%.0f ms in the worst second", s.WaitP99)
		t.row("of high value", "%.0f ms; %.0f ms for the other symbols", s.HighValueWaitP99, s.OthersWaitP99)
	} else {
		t.row("wait p99", "%.0f ms in the worst second; at most %.0f ms expected", s.WaitP99, s.WaitBound)
	}
	t.row("service p99", "%.1f ms", s.ServiceP99)
	t.row("age p99", "%.1f ms", s.AgeP99)
}
