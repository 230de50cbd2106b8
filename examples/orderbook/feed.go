package main

import (
	"context"
	"errors"
	"iter"

	"github.com/headrace/headrace/pipeline"
)

var errBackwards = errors.New("earlier than in the row before")

// feed reads the events of a file.
type feed struct {
	path     string
	decimals int // the most that a price has; read it when the pipeline has ended
}

// events is a source. Each row is a delivery with the number of the row as its
// sequence number: those of the exchange are not in order. The first error ends
// it, since a book that misses an event is wrong from there on.
func (f *feed) events(context.Context) iter.Seq2[pipeline.Delivery[event], error] {
	return func(yield func(pipeline.Delivery[event], error) bool) {
		var last int64
		var number uint64
		for r, err := range rows(f.path) {
			var e event
			if err == nil {
				e, err = r.event()
			}
			if err == nil && e.received < last {
				err = r.fail(colReceived, errBackwards)
			}
			if err != nil {
				yield(pipeline.Delivery[event]{}, err)
				return
			}
			last = e.received
			number++
			f.decimals = max(f.decimals, e.decimals)
			if !yield(pipeline.Delivery[event]{Value: e, Sequence: number}, nil) {
				return
			}
		}
	}
}
