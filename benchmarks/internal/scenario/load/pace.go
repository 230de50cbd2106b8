package load

import (
	"math"
	"time"
)

// tick is how often feeds and consumers wake up. Both keep to their rates over
// any longer time, since they go by what is due and not by what they slept.
const tick = time.Millisecond

// pace slows a consumer down to a rate. It sleeps until what was taken so far
// was due, at the granularity of a tick.
type pace struct {
	start time.Time
	rate  float64 // entries a second
	taken int
}

// batch is how many entries to take at once.
func (p *pace) batch() int { return max(1, int(math.Round(p.rate*tick.Seconds()))) }

// took counts entries and sleeps until they are due. What is late by more than
// two ticks is not made up for: neither idleness nor a stall of the machine is
// to make a consumer faster afterwards than it is said to be.
func (p *pace) took(n int) {
	p.taken += n
	due := time.Duration(float64(p.taken) * float64(time.Second) / p.rate)
	early := due - time.Since(p.start)
	if late := -early - 2*tick; late > 0 {
		p.start = p.start.Add(late)
	}
	time.Sleep(early)
}
