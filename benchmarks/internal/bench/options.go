package bench

// Options choose what the scenarios measure.
type Options struct {
	Quick  bool   // fewer and smaller cases
	Replay string // a market-by-order CSV file, as examples/orderbook reads it; empty makes one up
}
