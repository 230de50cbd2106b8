package operators

import (
	"context"
	"runtime"
)

// call is one call of the function of Parallel. Its fields are the goroutine's
// until done holds a token, and then the caller's.
type call[T, U any] struct {
	done     chan struct{} // of capacity 1, so that a call ends unread too
	value    U
	err      error
	returned bool
	panicked any
}

// run calls f and keeps what comes of it: a result, a panic or, when the
// goroutine was ended by runtime.Goexit, neither.
func (c *call[T, U]) run(ctx context.Context, f func(context.Context, T) (U, error), v T) {
	c.returned = false // the place may have been used before
	defer func() {
		if !c.returned {
			c.panicked = recover()
		}
		c.done <- struct{}{}
	}()
	c.value, c.err = f(ctx, v)
	c.returned = true
}

// raise does to the caller's goroutine what f did to its own, as iter.Pull does.
func (c *call[T, U]) raise() {
	if c.returned {
		return
	}
	if c.panicked != nil {
		panic(c.panicked)
	}
	runtime.Goexit() // a test that fails in f must fail, not hang
}
