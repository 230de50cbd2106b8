package main

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

// load is the share of the consumer's capacity that the proposed pace is to use.
const load = 0.7

// unstressed returns the options of a run in which the consumer has one update
// in hands at a time, and is never slow. It has no pace: that is what the run is
// to find.
func (o options) unstressed() options {
	o.interval, o.high, o.slowdown = 0, 0, 1
	o.limit = governor.Fixed(1)
	return o
}

// propose returns the flags that suit a consumer of which this was measured.
func (o options) propose(service governor.Latencies) (string, error) {
	parallel := o.workers
	if o.capacity > 0 {
		parallel = min(parallel, o.capacity)
	}
	c, err := governor.Calibrate(service, parallel, load)
	if err != nil {
		return "", fmt.Errorf("-calibrate: %w", err)
	}
	interval := max(time.Microsecond, c.Interval.Round(time.Microsecond))
	return fmt.Sprintf("-high %v -interval %v -base %d", c.High.Round(time.Microsecond), interval, c.Base), nil
}
