package main

import "sync"

// book is the book as the consumer rebuilds it, level by level. Workers share
// it. They never hold the same level at once, so each level changes in order.
type book struct {
	mu    sync.Mutex
	depth depth
}

func newBook() *book { return &book{depth: make(depth)} }

func (b *book) set(l level) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.depth.set(l)
}
