package cache

import (
	"math"

	"github.com/headrace/headrace/cache/internal/lane"
	"github.com/tidwall/btree"
)

// order holds slots whose head is eligible, by position.
//
// A B-tree defines the order. Entries that arrive in order, nearly all, stand
// in a lane in front of it, which costs a third; the tree holds those that
// come between: returned ones, ones that waited behind a lease, late stamps,
// head starts.
type order[K comparable, V any] struct {
	kind kind
	lane lane.Lane[*slot[K, V]]
	last position // of the newest slot that went into the lane
	tree *btree.BTreeG[*slot[K, V]]
}

// kind tells the orders of a cache apart.
type kind uint8

const (
	nextFirst      kind = iota // insertion time less head start: who is next
	oldestFirst                // insertion time
	droppableFirst             // insertion time, of those that may be dropped
)

// position is the place of an entry. The sequence makes it unique: clocks
// repeat, and a tree ordered by time alone would lose one of two equal keys.
type position struct {
	at       int64
	sequence uint64
}

func (p position) before(q position) bool {
	return p.at < q.at || p.at == q.at && p.sequence < q.sequence
}

// position returns the place of the entry in the order of the taking.
func (i *item[V]) position() position { return position{int64(i.at - i.lead), i.sequence} }

// born returns the place of the entry in the order of age.
func (i *item[V]) born() position { return position{int64(i.at), i.sequence} }

func (o *order[K, V]) position(s *slot[K, V]) position {
	if o.kind == nextFirst {
		return s.head.position()
	}
	return s.head.born()
}

// place returns where the slot notes its place in this order: inTree, or its
// ticket in the lane.
func (o *order[K, V]) place(s *slot[K, V]) *uint64 {
	if o.kind == nextFirst {
		return &s.place
	}
	return &s.more().places[o.kind-1]
}

const inTree = math.MaxUint64

// degree of the tree: 32 to 64 measured best for pointers.
const degree = 32

func newOrder[K comparable, V any](k kind) *order[K, V] {
	o := &order[K, V]{kind: k}
	o.tree = btree.NewBTreeGOptions(
		func(a, b *slot[K, V]) bool { return o.position(a).before(o.position(b)) },
		btree.Options{NoLocks: true, Degree: degree},
	)
	// A tree that runs empty frees its root and allocates it again. One entry
	// that stays, behind all others, spares the hot path that.
	o.tree.Set(&slot[K, V]{head: item[V]{at: math.MaxInt64, sequence: math.MaxUint64}})
	return o
}

func (o *order[K, V]) len() int { return o.lane.Len() + o.tree.Len() - 1 }

func (o *order[K, V]) push(s *slot[K, V]) {
	p := o.position(s)
	if o.lane.Len() > 0 && p.before(o.last) {
		*o.place(s) = inTree
		o.tree.Set(s)
		return
	}
	*o.place(s) = o.lane.Push(s)
	o.last = p
}

// min returns the first slot, or nil.
func (o *order[K, V]) min() *slot[K, V] {
	front := o.lane.Front()
	if o.tree.Len() == 1 {
		return front
	}
	first, _ := o.tree.Min()
	if front != nil && o.position(front).before(o.position(first)) {
		return front
	}
	return first
}

// pop removes and returns the first slot, or returns nil.
func (o *order[K, V]) pop() *slot[K, V] {
	if o.tree.Len() == 1 {
		return o.lane.Pop()
	}
	s := o.min()
	o.remove(s)
	return s
}

// remove takes a slot out.
func (o *order[K, V]) remove(s *slot[K, V]) {
	place := *o.place(s)
	if place == inTree {
		o.tree.Delete(s)
		return
	}
	o.lane.Remove(place)
	if o.lane.Sparse() {
		o.spill()
	}
}

// spill moves the front of a lane that is mostly holes into the tree. A few
// slots with each removal are enough to be done with it in time, and none pauses
// for all of them: those of a lane of a million would take a tenth of a second.
func (o *order[K, V]) spill() {
	for range 4 {
		s := o.lane.Pop()
		if s == nil {
			return
		}
		*o.place(s) = inTree
		o.tree.Set(s)
	}
}
