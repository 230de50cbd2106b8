package cache

import (
	"math"

	"github.com/headrace/headrace/cache/internal/lane"
	"github.com/tidwall/btree"
)

// order holds the slots whose head is eligible, by (insertion time, sequence).
//
// A B-tree defines the order. Entries that arrive in order, nearly all, stand
// in a lane in front of it, which costs a third; the tree holds those that
// come between: returned ones, ones that waited behind a lease, late stamps.
type order[K comparable, V any] struct {
	lane lane.Lane[*slot[K, V]]
	last position // of the newest slot that went into the lane
	tree *btree.BTreeG[*slot[K, V]]
}

// position is the place of an entry. The sequence makes it unique: clocks
// repeat, and a tree ordered by time alone would lose one of two equal keys.
type position struct {
	at       int64
	sequence uint64
}

func (p position) before(q position) bool {
	return p.at < q.at || p.at == q.at && p.sequence < q.sequence
}

func (s *slot[K, V]) position() position {
	return position{int64(s.head.at), s.head.sequence}
}

// inTree is the place of a slot in the tree; others are its ticket in the lane.
const inTree = math.MaxUint64

// degree of the tree: 32 to 64 measured best for pointers.
const degree = 32

func newOrder[K comparable, V any]() order[K, V] {
	o := order[K, V]{tree: btree.NewBTreeGOptions(
		func(a, b *slot[K, V]) bool { return a.position().before(b.position()) },
		btree.Options{NoLocks: true, Degree: degree},
	)}
	// A tree that runs empty frees its root and allocates it again. One entry
	// that stays, behind all others, spares the hot path that.
	o.tree.Set(&slot[K, V]{head: item[V]{at: math.MaxInt64, sequence: math.MaxUint64}})
	return o
}

func (o *order[K, V]) len() int { return o.lane.Len() + o.tree.Len() - 1 }

func (o *order[K, V]) push(s *slot[K, V]) {
	s.state = ready
	p := s.position()
	if o.lane.Len() > 0 && p.before(o.last) {
		s.place = inTree
		o.tree.Set(s)
		return
	}
	s.place = o.lane.Push(s)
	o.last = p
}

// min returns the first slot, or nil.
func (o *order[K, V]) min() *slot[K, V] {
	front := o.lane.Front()
	if o.tree.Len() == 1 {
		return front
	}
	first, _ := o.tree.Min()
	if front != nil && front.position().before(first.position()) {
		return front
	}
	return first
}

// remove takes a slot out.
func (o *order[K, V]) remove(s *slot[K, V]) {
	if s.place == inTree {
		o.tree.Delete(s)
		return
	}
	o.lane.Remove(s.place)
	if o.lane.Sparse() {
		o.spill()
	}
}

// spill moves a lane that is mostly holes into the tree.
func (o *order[K, V]) spill() {
	for s := o.lane.Pop(); s != nil; s = o.lane.Pop() {
		s.place = inTree
		o.tree.Set(s)
	}
}
