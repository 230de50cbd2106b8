package main

import "github.com/headrace/headrace/cache"

// Tick is a message of the exchange: a quote or a trade. A side on which nobody
// offers has size 0. In a trade one side has what was traded, and the other is 0.
type Tick struct {
	Symbol  string
	Version uint32 // counts the quotes of the symbol, from 1; a refresh and a trade repeat it
	Trade   uint32 // counts the trades of the symbol, from 1; 0 in a quote
	Bid     Level
	Ask     Level
}

// Level is the best offer on one side.
type Level struct {
	Price int32 // in cents
	Size  int32 // in lots
}

// Complete reports whether the tick is a trade or a quote that has both sides.
func (t Tick) Complete() bool { return t.Trade > 0 || t.Bid.Size > 0 && t.Ask.Size > 0 }

// Update is a tick that is complete.
type Update Tick

// Update returns the tick as an update. The tick must be complete.
func (t Tick) Update() Update { return Update(t) }

// Key is what quotes are conflated by.
func (u Update) Key() string { return u.Symbol }

// Op makes a quote replace the one that waits, and keeps every trade.
func (u Update) Op() cache.Op {
	if u.Trade > 0 {
		return cache.Append
	}
	return cache.Upsert
}

// series is what an update can be a repetition in: the quotes of a symbol, or
// its trades.
type series struct {
	symbol string
	trades bool
}

// Series returns the series that the update belongs to.
func (u Update) Series() series { return series{u.Symbol, u.Trade > 0} }

// Equal reports whether nothing has changed from one update to the other.
func (u Update) Equal(other Update) bool { return u == other }
