package main

// depth is a book by levels: the size at each place that has one.
type depth map[place]int64

// set makes the size of a place what the level says.
func (d depth) set(l level) {
	if l.size == 0 {
		delete(d, l.place)
		return
	}
	d[l.place] = l.size
}

// at returns the level of a place.
func (d depth) at(p place) level { return level{p, d[p]} }

// contracts returns the sum of all sizes.
func (d depth) contracts() int64 {
	var sum int64
	for _, size := range d {
		sum += size
	}
	return sum
}

// best returns the highest bid or the lowest ask, and false if there is none.
func (d depth) best(s side) (best price, ok bool) {
	for p := range d {
		if p.side != s {
			continue
		}
		if !ok || (s == bid) == (p.price > best) {
			best, ok = p.price, true
		}
	}
	return best, ok
}
