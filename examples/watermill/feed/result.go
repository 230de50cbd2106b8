package feed

import (
	"encoding/json"
	"fmt"
	"io"
)

// Result is what a run amounted to.
type Result struct {
	Pubsub    string `json:"pubsub"`
	Published int    `json:"published"`
	Handled   int    `json:"handled"`
	Stale     int    `json:"stale"` // handled after a newer one of their symbol
	Symbols   int    `json:"symbols"`
	FinalOK   int    `json:"final_ok"` // symbols whose last price was handled last
}

// Print prints the result, and returns an error if a symbol is not right.
func (r Result) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(w).Encode(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "%s: %d of %d quotes were handled, the others conflated; %d of %d symbols ended on their last price\n",
			r.Pubsub, r.Handled, r.Published, r.FinalOK, r.Symbols)
	}
	if r.FinalOK != r.Symbols || r.Stale > 0 {
		return fmt.Errorf("%d of %d symbols did not end on their last price, and %d quotes were stale", r.Symbols-r.FinalOK, r.Symbols, r.Stale)
	}
	return nil
}
