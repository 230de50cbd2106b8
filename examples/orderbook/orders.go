package main

import (
	"iter"
	"slices"
)

// orders is the book as the producer builds it: the live orders by their
// number, and what they add up to.
type orders struct {
	live  map[uint64]order
	depth depth
}

// order is a live order, or what is left of one when its size is 0.
type order struct {
	place place
	size  int64
}

func newOrders() *orders {
	return &orders{live: make(map[uint64]order), depth: make(depth)}
}

// apply changes the order that the event is about, and returns the levels that
// changed with it: two when the order moved, none when all stayed the same.
func (o *orders) apply(e event) iter.Seq[level] {
	before, known := o.live[e.order]
	if !known {
		before.place = e.place // where it has no size yet
	}
	after := before.after(e)
	o.store(e.order, after)
	o.grow(before.place, -before.size)
	o.grow(after.place, after.size)

	switch {
	case after == before:
		return slices.Values[[]level](nil)
	case after.place == before.place:
		return slices.Values([]level{o.depth.at(after.place)})
	default:
		return slices.Values([]level{o.depth.at(before.place), o.depth.at(after.place)})
	}
}

// after returns what the event makes of the order.
func (o order) after(e event) order {
	if e.action == cancel {
		return order{o.place, max(0, o.size-e.size)}
	}
	return order{e.place, e.size}
}

func (o *orders) store(number uint64, after order) {
	if after.size == 0 {
		delete(o.live, number)
		return
	}
	o.live[number] = after
}

// grow adds to the size of a place.
func (o *orders) grow(p place, by int64) {
	l := o.depth.at(p)
	l.size += by
	o.depth.set(l)
}
