package mbo

import "maps"

// Depth is a book by levels: the size at each place that has one.
type Depth map[Place]int64

// Set makes the size of a place what the level says.
func (d Depth) Set(l Level) {
	if l.Size == 0 {
		delete(d, l.Place)
		return
	}
	d[l.Place] = l.Size
}

// Book is the live orders and what they add up to. The zero value must not be
// used: see NewBook.
type Book struct {
	Depth  Depth
	orders map[uint64]order
}

// order is a live order, or what is left of one when its size is 0.
type order struct {
	place Place
	size  int64
}

// NewBook returns an empty book.
func NewBook() *Book {
	return &Book{Depth: make(Depth), orders: make(map[uint64]order)}
}

// Clone returns a copy.
func (b *Book) Clone() *Book {
	return &Book{Depth: maps.Clone(b.Depth), orders: maps.Clone(b.orders)}
}

// Apply changes the order that the event is about, and returns how many levels
// changed, and these: two when the order moved.
func (b *Book) Apply(e Event) (n int, changed [2]Level) {
	if e.Action == Trade || e.Action == Fill {
		return 0, changed // a cancel follows
	}
	before, known := b.orders[e.Order]
	if !known {
		before.place = e.Place
	}
	after := order{e.Place, e.Size}
	if e.Action == Cancel {
		after = order{before.place, max(0, before.size-e.Size)}
	}
	if after == before {
		return 0, changed
	}
	if after.size == 0 {
		delete(b.orders, e.Order)
	} else {
		b.orders[e.Order] = after
	}
	b.grow(before.place, -before.size)
	b.grow(after.place, after.size)
	changed[0] = Level{after.place, b.Depth[after.place]}
	if after.place == before.place {
		return 1, changed
	}
	changed[1] = Level{before.place, b.Depth[before.place]}
	return 2, changed
}

func (b *Book) grow(p Place, by int64) {
	b.Depth.Set(Level{p, b.Depth[p] + by})
}
