package main

// side of the book that an order rests on.
type side byte

const (
	bid  side = 'B'
	ask  side = 'A'
	none side = 'N'
)

// place is where orders queue in the book: a side and a price.
type place struct {
	side  side
	price price
}

// level is the state of a place: the sum of the sizes of its orders, 0 when it
// has none. It is absolute, so that a later one makes an earlier one void.
type level struct {
	place place
	size  int64
}

func (l level) key() place { return l.place }
