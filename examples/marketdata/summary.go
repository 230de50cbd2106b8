package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// summary is what a run amounted to. Unless it was interrupted, all of it was
// measured before the pipeline stopped.
type summary struct {
	In       uint64 `json:"in"`     // quotes put into the cache
	Out      uint64 `json:"out"`    // entries that the consumer processed
	Merged   uint64 `json:"merged"` // quotes that were merged into a waiting one
	Waiting  uint64 `json:"waiting"`
	Balanced bool   `json:"balanced"` // no quote was lost without a trace

	Symbols int `json:"symbols"`  // that had a quote
	FinalOK int `json:"final_ok"` // of which the consumer saw the last one last

	DivisorBase int `json:"divisor_base"`
	DivisorMax  int `json:"divisor_max"`
	DivisorEnd  int `json:"divisor_end"`

	// SlowOut is the reads a second in the slow third; SlowFree what they would
	// have been without a governor: workers / mean service. Both are 0 if that
	// third did not end.
	SlowOut  float64 `json:"slow_out"`
	SlowFree float64 `json:"slow_free"`

	// WaitP99 is the largest p99 in a whole second of the time in the cache.
	// WaitBound is the largest number waiting / the lowest number of reads in a
	// whole second: oldest first, none should wait longer. Both are 0 without a
	// whole second, and the bound is if in one of them nothing was read.
	WaitP99    float64 `json:"wait_p99_ms"`
	WaitBound  float64 `json:"wait_bound_ms"`
	ServiceP99 float64 `json:"service_p99_ms"`
	AgeP99     float64 `json:"age_p99_ms"` // of the newest quote in an entry, when processed
}

// print prints a table, and the JSON object below it if asked to.
func (s summary) print(w io.Writer, asJSON bool) {
	ledger := "balanced"
	if !s.Balanced {
		ledger = "DOES NOT BALANCE"
	}
	slow := "not reached"
	if s.SlowFree > 0 {
		slow = fmt.Sprintf("%.0f reads/s; the consumer could do %.0f", s.SlowOut, s.SlowFree)
	}
	fmt.Fprintf(w, `
quotes        %d in, %d merged, %d out, %d waiting
ledger        %s
last quotes   right for %d of %d symbols
divisor       %d at base, %d at most, %d at the end
slow third    %s
wait p99      %.0f ms in the worst second; at most %.0f ms expected
service p99   %.1f ms
age p99       %.1f ms
`,
		s.In, s.Merged, s.Out, s.Waiting, ledger, s.FinalOK, s.Symbols,
		s.DivisorBase, s.DivisorMax, s.DivisorEnd, slow,
		s.WaitP99, s.WaitBound, s.ServiceP99, s.AgeP99)
	if asJSON {
		line, _ := json.Marshal(s) // plain numbers: it cannot fail
		fmt.Fprintf(w, "%s\n", line)
	}
}

// check returns an error that says what is wrong with the run, or nil.
func (s summary) check() error {
	var errs []error
	if s.FinalOK != s.Symbols {
		errs = append(errs, fmt.Errorf("%d of %d symbols: the last quote consumed is not the last one produced", s.Symbols-s.FinalOK, s.Symbols))
	}
	if s.Waiting > 0 {
		errs = append(errs, fmt.Errorf("%d entries still waited %v after the exchange closed", s.Waiting, patience))
	}
	if !s.Balanced {
		errs = append(errs, errors.New("the ledger does not balance"))
	}
	return errors.Join(errs...)
}
