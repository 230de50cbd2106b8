package main

// Tick is a message of the exchange. A side on which nobody offers has size 0.
type Tick struct {
	Symbol  string
	Version uint32 // counts the ticks of the symbol, from 1; a refresh repeats it
	Bid     Level
	Ask     Level
}

// Level is the best offer on one side.
type Level struct {
	Price int32 // in cents
	Size  int32 // in lots
}

// TwoSided reports whether there is an offer on both sides.
func (t Tick) TwoSided() bool { return t.Bid.Size > 0 && t.Ask.Size > 0 }

// Quote is a tick that has both sides.
type Quote Tick

// Quote returns the tick as a quote. The tick must be two-sided.
func (t Tick) Quote() Quote { return Quote(t) }

// Key is what quotes are conflated by.
func (q Quote) Key() string { return q.Symbol }

// Equal reports whether nothing has changed from one quote to the other.
func (q Quote) Equal(other Quote) bool { return q == other }
