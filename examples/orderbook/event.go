package main

// action is what happened to an order.
type action byte

const (
	add    action = 'A'
	cancel action = 'C' // of a part of it, or all
	modify action = 'M' // it has a new price or size
	trade  action = 'T'
	fill   action = 'F'
)

// event is one row of the file.
type event struct {
	received int64 // nanoseconds since the Unix epoch
	action   action
	place    place // without a price for some trades
	size     int64
	order    uint64
	decimals int // of the price as written
}

// changesOrders reports whether the event changes what rests in the book. For
// a trade or a fill, a cancel follows that does.
func (e event) changesOrders() bool {
	return e.action != trade && e.action != fill
}

// places reports whether the event says where its order rests from now on.
func (e event) places() bool {
	return e.action == add || e.action == modify
}
