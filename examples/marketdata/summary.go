package main

import (
	"errors"
	"fmt"
)

// summary is what a run amounted to. Unless it was interrupted, all of it was
// measured before the pipeline stopped.
type summary struct {
	In       uint64 `json:"in"`     // updates put into the cache
	Out      uint64 `json:"out"`    // entries that the consumer processed
	Merged   uint64 `json:"merged"` // quotes that were merged into a waiting one
	Waiting  uint64 `json:"waiting"`
	Overdue  uint64 `json:"overdue"`  // entries that were read for their age
	Balanced bool   `json:"balanced"` // no update was lost without a trace

	Symbols int `json:"symbols"`  // that had a quote
	FinalOK int `json:"final_ok"` // of which the consumer saw the last one last

	Trades   int `json:"trades"`    // that the exchange produced
	TradesOK int `json:"trades_ok"` // of which the consumer saw in order, right after the quote before

	// The divisor is 1 without a governor and 0 without a metronome.
	DivisorBase int `json:"divisor_base"`
	DivisorMax  int `json:"divisor_max"`
	DivisorEnd  int `json:"divisor_end"`

	// How the limit stood when the exchange closed. Both are 0 without one.
	Limit    int `json:"limit"`
	InFlight int `json:"in_flight"`

	// SlowOut is the reads a second in the middle third, the slow one; SlowFree what they would
	// have been without a governor: workers, or the limit, / mean service. LastOut and
	// LastServiceP99 are of the last third. All are 0 if the middle third did not
	// end.
	SlowOut        float64 `json:"slow_out"`
	SlowFree       float64 `json:"slow_free"`
	LastOut        float64 `json:"last_out"`
	LastServiceP99 float64 `json:"last_service_p99_ms"`

	// WaitP99 is the largest p99 in a whole second of the time in the cache.
	// WaitBound is the largest number waiting / the lowest number of reads in a
	// whole second: oldest first, none should wait longer. Both are 0 without a
	// whole second, and the bound is if in one of them nothing was read.
	WaitP99   float64 `json:"wait_p99_ms"`
	WaitBound float64 `json:"wait_bound_ms"`
	// WaitP99 by the value of the symbols; 0 without a priority.
	HighValueWaitP99 float64 `json:"high_value_wait_p99_ms"`
	OthersWaitP99    float64 `json:"others_wait_p99_ms"`

	Proposed string `json:"proposed"` // flags, with -calibrate

	ServiceP99 float64 `json:"service_p99_ms"`
	AgeP99     float64 `json:"age_p99_ms"` // of the newest quote in an entry, when processed
}

// check returns an error that says what is wrong with the run, or nil.
func (s summary) check() error {
	var errs []error
	if s.FinalOK != s.Symbols {
		errs = append(errs, fmt.Errorf("%d of %d symbols: the last quote consumed is not the last one produced", s.Symbols-s.FinalOK, s.Symbols))
	}
	if s.TradesOK != s.Trades {
		errs = append(errs, fmt.Errorf("%d of %d trades: not seen, or not in order, or not right after the quote before", s.Trades-s.TradesOK, s.Trades))
	}
	if s.Waiting > 0 {
		errs = append(errs, fmt.Errorf("%d entries still waited %v after the exchange closed", s.Waiting, patience))
	}
	if !s.Balanced {
		errs = append(errs, errors.New("the ledger does not balance"))
	}
	return errors.Join(errs...)
}
