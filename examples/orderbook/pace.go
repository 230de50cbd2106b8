package main

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// paced yields the events of a source at a multiple of the pace at which they
// were received: the first one at once, the others as long after it as they
// were then, divided by speed. A speed of 0 leaves the source as it is.
//
// An event counts as arrived when it is due, so that the ages in the statistics
// include the time by which the replay itself is late.
func paced(source pipeline.Source[event], speed float64) pipeline.Source[event] {
	if speed == 0 {
		return source
	}
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[event], error] {
		return func(yield func(pipeline.Delivery[event], error) bool) {
			var first int64
			var start time.Time
			for d, err := range source(ctx) {
				if err == nil {
					if start.IsZero() {
						first, start = d.Value.received, time.Now()
					}
					d.At = start.Add(scaled(d.Value.received-first, speed))
					if wait(ctx, time.Until(d.At)) != nil {
						return // the pipeline has stopped
					}
				}
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// scaled divides nanoseconds by speed, up to some 146 years.
func scaled(nanoseconds int64, speed float64) time.Duration {
	return time.Duration(min(float64(nanoseconds)/speed, math.MaxInt64/2))
}
