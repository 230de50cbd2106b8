package load

import "time"

// quote is the value that all sides carry: 64 bytes.
type quote struct {
	symbol   string
	due      time.Time // when it arrived: the clock of its wait starts here
	key      int       // the number of the symbol; the lower, the hotter
	sequence uint64
	price    float64
}

func (q quote) Symbol() string { return q.symbol }
