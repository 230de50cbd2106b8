package main

import (
	"strings"
	"time"
)

// headStart is how much earlier than it did an update of a high-value symbol
// counts as having arrived, with -priority. It goes before others by that much
// and no more, so that they do not starve.
const headStart = time.Second

// One symbol in twenty is of high value, the most popular one among them.
const (
	highValueOneIn  = 20
	highValuePrefix = "TOP"
)

func highValue(symbol string) bool { return strings.HasPrefix(symbol, highValuePrefix) }

// priority is the head start that an update gets.
func priority(symbol string, _ Update) time.Duration {
	if highValue(symbol) {
		return headStart
	}
	return 0
}
