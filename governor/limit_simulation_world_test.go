package governor

import (
	"cmp"
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"
)

// closedLoop is a consumer that is handed as much as the limit allows at any
// time, in virtual time: servers that work first in, first out. When work is
// handed over it is settled when it ends, so that a change of the servers or of
// their speed is felt by what comes after it.
type closedLoop struct {
	limit   Algorithm
	service func(*rand.Rand) time.Duration

	now      time.Duration
	random   *rand.Rand
	busy     durations   // when each server is free again, the first one in front
	inFlight []operation // the one that ends last in front
	ended    []operation
}

type operation struct {
	start, end time.Duration
	inFlight   int // at the start
	limit      int // after the end
}

func newClosedLoop(limit Algorithm, servers int, service func(*rand.Rand) time.Duration) *closedLoop {
	return &closedLoop{
		limit: limit, service: service,
		random: rand.New(rand.NewPCG(7, 11)), busy: make(durations, servers),
	}
}

// run lets the loop work until that time.
func (c *closedLoop) run(until time.Duration) {
	for c.now < until {
		for len(c.inFlight) < c.limit.Limit() {
			c.admit()
		}
		o := c.inFlight[len(c.inFlight)-1]
		c.inFlight = c.inFlight[:len(c.inFlight)-1]
		c.now = o.end
		o.limit = c.limit.Observe(Sample{At: o.end, RTT: o.end - o.start, InFlight: o.inFlight})
		c.ended = append(c.ended, o)
	}
}

// setServers leaves n servers, those that are free first.
func (c *closedLoop) setServers(n int) {
	slices.Sort(c.busy)
	for len(c.busy) < n {
		c.busy = append(c.busy, c.now)
	}
	c.busy = c.busy[:n]
	heap.Init(&c.busy)
}

func (c *closedLoop) admit() {
	begin := max(c.now, c.busy[0]) // the first server to be free
	end := begin + c.service(c.random)
	c.busy[0] = end
	heap.Fix(&c.busy, 0)
	o := operation{start: c.now, end: end, inFlight: len(c.inFlight) + 1}
	i, _ := slices.BinarySearchFunc(c.inFlight, o, func(a, b operation) int { return cmp.Compare(b.end, a.end) })
	c.inFlight = slices.Insert(c.inFlight, i, o)
}

// stretch sums up a stretch of time.
type stretch struct {
	low, high, last int // limit
	mean            float64
	rate            float64 // a second
	p99             time.Duration
}

func (c *closedLoop) stretch(from, to time.Duration) stretch {
	r := stretch{low: mostLimit}
	var rtts []time.Duration
	sum := 0
	for _, o := range c.ended {
		if o.end < from || o.end >= to {
			continue
		}
		r.low, r.high, r.last = min(r.low, o.limit), max(r.high, o.limit), o.limit
		rtts = append(rtts, o.end-o.start)
		sum += o.limit
	}
	slices.Sort(rtts)
	r.mean = float64(sum) / float64(len(rtts))
	r.rate = float64(len(rtts)) / (to - from).Seconds()
	r.p99 = rtts[len(rtts)*99/100]
	return r
}

type durations []time.Duration

func (d durations) Len() int           { return len(d) }
func (d durations) Less(i, j int) bool { return d[i] < d[j] }
func (d durations) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *durations) Push(any)          {}
func (d *durations) Pop() any          { return nil }
