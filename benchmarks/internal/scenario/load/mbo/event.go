package mbo

// Actions of an event.
const (
	Add    = 'A'
	Cancel = 'C' // of a part of the order, or all
	Modify = 'M' // it has a new price or size
	Trade  = 'T'
	Fill   = 'F'
)

// Sides of the book.
const (
	Bid  = 'B'
	Ask  = 'A'
	None = 'N'
)

// Event is what happened to an order.
type Event struct {
	Received int64 // nanoseconds since the Unix epoch
	Action   byte
	Place    Place
	Size     int64
	Order    uint64
}

// Place is where orders queue in the book.
type Place struct {
	Side  byte
	Price int64 // in units of 1e-9
}

// Level is the state of a place: the sum of the sizes of its orders. It is
// absolute, so that a later one makes an earlier one void.
type Level struct {
	Place Place
	Size  int64 // 0 when it has no orders
}

// rests reports whether the event says where its order rests from now on.
func (e Event) rests() bool { return e.Action == Add || e.Action == Modify }
