package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/headrace/headrace/pipeline"
)

// result is what became of a replay. The levels and what follows are those of
// the rebuilt book.
type result struct {
	Events    int     `json:"events"`    // rows read
	Updates   uint64  `json:"updates"`   // changes of a level, put into the cache
	Emitted   uint64  `json:"emitted"`   // of them, taken by the consumer
	Merged    uint64  `json:"merged"`    // of them, overwritten while they waited
	Waiting   uint64  `json:"waiting"`   // of them, left behind
	Balanced  bool    `json:"balanced"`  // the cache accounts for every update
	Matches   bool    `json:"matches"`   // the rebuilt book is the one that was built
	Levels    int     `json:"levels"`    // places that have a size
	Contracts int64   `json:"contracts"` // sum of the sizes
	BestBid   string  `json:"best_bid"`  // empty without a bid
	BestAsk   string  `json:"best_ask"`  // empty without an ask
	Seconds   float64 `json:"seconds"`
}

func newResult(s pipeline.Stats, rebuilt depth, decimals int) result {
	r := result{
		Updates: s.Ledger.Puts, Emitted: s.Ledger.Done, Merged: s.Ledger.Merged,
		Waiting: s.Ledger.Waiting, Balanced: s.Ledger.Check() == nil,
		Levels: len(rebuilt), Contracts: rebuilt.contracts(),
		Seconds: s.Elapsed.Seconds(),
	}
	if p, ok := rebuilt.best(bid); ok {
		r.BestBid = p.format(decimals)
	}
	if p, ok := rebuilt.best(ask); ok {
		r.BestAsk = p.format(decimals)
	}
	return r
}

// check returns an error if the conflation lost something.
func (r result) check() error {
	switch {
	case !r.Balanced:
		return errors.New("the cache does not account for every update")
	case !r.Matches:
		return errors.New("the rebuilt book is not the one that was built")
	}
	return nil
}

// write writes the result: a line of JSON, or a table for people.
func (r result) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "events\t%d\tin %.3f s\n", r.Events, r.Seconds)
	fmt.Fprintf(table, "updates\t%d\tof levels\n", r.Updates)
	fmt.Fprintf(table, "emitted\t%d\tto the consumer\n", r.Emitted)
	fmt.Fprintf(table, "merged\t%d\tinto updates that waited\n", r.Merged)
	fmt.Fprintf(table, "waiting\t%d\tat the end\n", r.Waiting)
	fmt.Fprintf(table, "balanced\t%t\tevery update is accounted for\n", r.Balanced)
	fmt.Fprintf(table, "matches\t%t\tthe rebuilt book is the one that was built\n", r.Matches)
	fmt.Fprintf(table, "levels\t%d\tin the rebuilt book\n", r.Levels)
	fmt.Fprintf(table, "contracts\t%d\n", r.Contracts)
	fmt.Fprintf(table, "best bid\t%s\n", cmp.Or(r.BestBid, "none"))
	fmt.Fprintf(table, "best ask\t%s\n", cmp.Or(r.BestAsk, "none"))
	return table.Flush()
}
