package bench

import "sync"

// Shared is something large that the sides of a case are measured with. It is made
// when one of them asks for it, and kept until the case is released: what lies on
// the heap while others are measured makes the garbage of those cheaper.
type Shared[T any] struct {
	create func() T

	mu    sync.Mutex
	made  bool
	value T
}

// NewShared returns something that create makes.
func NewShared[T any](create func() T) *Shared[T] { return &Shared[T]{create: create} }

// Get returns it, and makes it if need be.
func (s *Shared[T]) Get() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.made {
		s.value, s.made = s.create(), true
	}
	return s.value
}

// Release lets go of it. The next Get makes it again.
func (s *Shared[T]) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none T
	s.value, s.made = none, false
}
