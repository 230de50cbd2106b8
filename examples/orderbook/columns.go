package main

import "fmt"

// The columns of the file, in their order.
const (
	colReceived = iota
	colSent
	colAction
	colSide
	colPrice
	colSize
	colOrder
	colSequence
)

var columns = []string{"ts_recv_ns", "ts_event_ns", "action", "side", "price", "size", "order_id", "sequence"}

// checkHeader returns an error if the first row does not name the columns.
func checkHeader(r row) error {
	for i, name := range columns {
		if got := r.fields[i]; got != name {
			return r.fail(i, fmt.Errorf("the header must have %q here, got %q", name, got))
		}
	}
	return nil
}
