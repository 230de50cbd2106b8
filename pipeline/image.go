package pipeline

import (
	"container/list"
	"iter"
	"sync"

	"github.com/headrace/headrace/cache"
)

// image keeps the last processed value of each key, of at most size keys: the
// one that has not been processed for longest makes room. A nil image keeps
// nothing.
type image[K comparable, V any] struct {
	size int

	mu      sync.Mutex
	entries map[K]*list.Element // of pair
	recent  *list.List          // the last processed first
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newImage[K comparable, V any](size int) *image[K, V] {
	if size == 0 {
		return nil
	}
	return &image[K, V]{size: size, entries: make(map[K]*list.Element), recent: list.New()}
}

// set notes an entry that was processed. A delete removes its key, and an
// appended value, which is an event and no state, changes nothing.
func (i *image[K, V]) set(e *cache.Entry[K, V]) {
	if i == nil || e.Op == cache.Append {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	known := i.entries[e.Key]
	switch {
	case e.Op == cache.Delete:
		if known != nil {
			i.remove(known)
		}
	case known != nil:
		known.Value = pair[K, V]{e.Key, e.Value}
		i.recent.MoveToFront(known)
	default:
		if i.recent.Len() == i.size {
			i.remove(i.recent.Back())
		}
		i.entries[e.Key] = i.recent.PushFront(pair[K, V]{e.Key, e.Value})
	}
}

func (i *image[K, V]) remove(e *list.Element) {
	delete(i.entries, i.recent.Remove(e).(pair[K, V]).key)
}

// Image returns the last value of a key that was processed, if Config.Image
// keeps it. Where Merge adds up it is the last sum, not the sum of all.
func (p *Pipeline[K, V]) Image(key K) (value V, ok bool) {
	if p.image == nil {
		return value, false
	}
	p.image.mu.Lock()
	defer p.image.mu.Unlock()
	if e := p.image.entries[key]; e != nil {
		return e.Value.(pair[K, V]).value, true
	}
	return value, false
}

// Images iterates over the values that Image knows, in no order. It copies them
// when the iteration begins.
func (p *Pipeline[K, V]) Images() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range p.image.copy() {
			if !yield(k, v) {
				return
			}
		}
	}
}

func (i *image[K, V]) copy() map[K]V {
	values := make(map[K]V)
	if i == nil {
		return values
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for k, e := range i.entries {
		values[k] = e.Value.(pair[K, V]).value
	}
	return values
}
