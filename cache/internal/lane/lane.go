// Package lane is a first-in-first-out ring whose elements can be removed from
// the middle. It serves entries that arrive in order, which nearly all do, at
// a fraction of what a tree costs.
package lane

// smallest is the capacity of a lane that holds little: 512 bytes of pointers.
const smallest = 64

// Lane is a growing and shrinking ring. The zero value is empty and ready.
// It is not safe for concurrent use.
//
// An element is known by its ticket: a number that grows by one with each Push
// and is never used twice. Ticket t lies in cell t modulo the capacity.
type Lane[T comparable] struct {
	cells []T    // the length is zero or a power of two
	head  uint64 // ticket of the first cell that may be full
	tail  uint64 // ticket of the next Push
	live  int
}

// Len returns the number of elements.
func (l *Lane[T]) Len() int { return l.live }

// Span returns the number of cells from the first element to the last, holes
// included.
func (l *Lane[T]) Span() int { return int(l.tail - l.head) }

// Push appends v, which must not be the zero value of T, and returns its ticket.
func (l *Lane[T]) Push(v T) (ticket uint64) {
	if l.tail-l.head == uint64(len(l.cells)) {
		l.resize()
	}
	ticket = l.tail
	l.cells[l.cell(ticket)] = v
	l.tail++
	l.live++
	return ticket
}

// Front returns the first element, or the zero value of T if there is none.
func (l *Lane[T]) Front() T {
	var none T
	if l.live == 0 {
		return none
	}
	for l.cells[l.cell(l.head)] == none {
		l.head++
	}
	return l.cells[l.cell(l.head)]
}

// Peek returns what is in cell i of the Span, or the zero value of T if that is a hole.
func (l *Lane[T]) Peek(i int) T { return l.cells[l.cell(l.head+uint64(i))] }

// Pop removes the first element and returns it, or the zero value of T if
// there is none.
func (l *Lane[T]) Pop() T {
	v := l.Front()
	var none T
	if v == none {
		return none
	}
	l.cells[l.cell(l.head)] = none
	l.head++
	l.live--
	l.trim()
	return v
}

// Remove takes out the element with that ticket, which must be in the lane.
func (l *Lane[T]) Remove(ticket uint64) {
	var none T
	l.cells[l.cell(ticket)] = none
	l.live--
	if ticket == l.head {
		l.head++
	}
	l.trim()
}

// trim drops the holes of a lane that is empty, and memory after a peak.
func (l *Lane[T]) trim() {
	if l.live == 0 {
		l.head = l.tail
	}
	if len(l.cells) > smallest && l.tail-l.head <= uint64(len(l.cells)/8) {
		l.shrink()
	}
}

func (l *Lane[T]) cell(ticket uint64) uint64 { return ticket & uint64(len(l.cells)-1) }

// resize makes room at the tail. A lane that is full of holes, because its
// first element stays while others are removed behind it, is not compacted:
// tickets must stay valid. It grows instead, and Sparse tells its owner.
func (l *Lane[T]) resize() { l.move(max(smallest, 2*len(l.cells))) }

// shrink gives memory back after a peak. It halves at an eighth, so a lane
// that breathes does not copy itself again and again.
func (l *Lane[T]) shrink() { l.move(max(smallest, len(l.cells)/2)) }

func (l *Lane[T]) move(size int) {
	old, mask := l.cells, uint64(len(l.cells)-1)
	l.cells = make([]T, size)
	for t := l.head; t != l.tail; t++ {
		l.cells[l.cell(t)] = old[t&mask]
	}
}

// Each calls f with every element, in order.
func (l *Lane[T]) Each(f func(T)) {
	var none T
	for t := l.head; t != l.tail; t++ {
		if v := l.cells[l.cell(t)]; v != none {
			f(v)
		}
	}
}

// Sparse tells whether most of the lane is holes: then its owner does well to
// move the elements elsewhere, since the lane would grow without bound.
func (l *Lane[T]) Sparse() bool {
	span := l.Span()
	return span > smallest && l.live < span/4
}
