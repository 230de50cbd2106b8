package flow

import "sync"

// beside holds the values of a queue that knows only keys.
type beside struct {
	mu     sync.Mutex
	values map[string]quote
	ended  bool
}

func newBeside() *beside { return &beside{values: make(map[string]quote)} }

func (b *beside) put(q quote) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.values[q.Symbol] = q
}

// take removes the value of a key. There is none if it was taken with the key's
// turn before.
func (b *beside) take(key string) (q quote, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q, ok = b.values[key]
	delete(b.values, key)
	return q, ok
}

// end notes that no more is put. It reports whether nothing is left.
func (b *beside) end() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	return len(b.values) == 0
}

// over reports whether no more is put and nothing is left.
func (b *beside) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ended && len(b.values) == 0
}
