package main

import "time"

// pace says how many quotes are due. Each second begins with a burst: a fifth of
// it at three times the rate, the rest at half the rate, which makes the rate on
// average.
type pace struct {
	rate  int
	start time.Time
	given int // quotes since start
}

// catchUp bounds what is made up for after a pause: without it, a machine that
// stood still would be flooded when it goes on.
const catchUp = 50 * time.Millisecond

func newPace(rate int, start time.Time) *pace { return &pace{rate: rate, start: start} }

// due returns the number of quotes that are due since the last call. Those of
// more than catchUp are lost.
func (p *pace) due(now time.Time) int {
	due := p.total(now.Sub(p.start)) - p.given
	p.given += due
	return min(due, max(1, p.total(catchUp)))
}

// total returns the number of quotes in a time from the start.
func (p *pace) total(elapsed time.Duration) int {
	seconds, rest := elapsed/time.Second, elapsed%time.Second
	const burst = time.Second / 5
	weighted := rest/2 + min(rest, burst)*5/2
	return int(seconds)*p.rate + int(weighted.Seconds()*float64(p.rate))
}
