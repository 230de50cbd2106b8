package cache

import (
	"time"

	"github.com/tidwall/btree"
)

// delays holds the slots that back off, by the end of their back-off. They
// keep their position for afterwards.
type delays[K comparable, V any] struct {
	tree *btree.BTreeG[*slot[K, V]]
}

func newDelays[K comparable, V any]() delays[K, V] {
	return delays[K, V]{btree.NewBTreeGOptions(func(a, b *slot[K, V]) bool {
		if a.extra.due != b.extra.due {
			return a.extra.due < b.extra.due
		}
		return a.head.sequence < b.head.sequence
	}, btree.Options{NoLocks: true, Degree: degree})}
}

func (d delays[K, V]) len() int { return d.tree.Len() }

func (d delays[K, V]) push(s *slot[K, V], due time.Duration) {
	s.state = delayed
	s.more().due = due
	d.tree.Set(s)
}

func (d delays[K, V]) remove(s *slot[K, V]) { d.tree.Delete(s) }

// due returns the end of the first back-off, which there must be.
func (d delays[K, V]) due() time.Duration {
	s, _ := d.tree.Min()
	return s.extra.due
}

// pop removes and returns a slot whose back-off is over, or nil.
func (d delays[K, V]) pop(now time.Duration) *slot[K, V] {
	if d.tree.Len() == 0 || d.due() > now {
		return nil
	}
	s, _ := d.tree.PopMin()
	return s
}

func (d delays[K, V]) each(f func(*slot[K, V])) {
	d.tree.Scan(func(s *slot[K, V]) bool {
		f(s)
		return true
	})
}
