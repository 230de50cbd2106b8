package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/headrace/headrace/cache"
)

// Handler processes one entry. An error or a panic sends the entry back to the
// cache to be tried again. Several workers run it at once, never two of them
// with the same key. Its context outlives the cancellation of Run, so that
// what waits can be drained, and ends at the drain deadline.
//
// A handler must not wait for the cache that feeds it.
type Handler[K comparable, V any] func(ctx context.Context, entry cache.Entry[K, V]) error

// PanicError is the error of a user's function that panicked.
type PanicError struct {
	Value any    // what was given to panic
	Stack []byte // of the goroutine, as debug.Stack has it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered, when deferred, turns a panic into a *PanicError.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = newPanicError(v)
	}
}

// panicked reports whether an error is that of a panic. It calls methods of the
// user's error, and of a nil pointer in one they may panic as well.
func panicked(err error) (yes bool) {
	defer func() { _ = recover() }()
	return errors.As(err, new(*PanicError))
}

func newPanicError(v any) error { return &PanicError{Value: v, Stack: debug.Stack()} }

// guard calls f and returns its panic, if any, as an error.
func guard(f func()) (err error) {
	defer recovered(&err)
	f()
	return nil
}

// errExited is the error of a user's function that ended its goroutine, as the
// FailNow of a test does.
var errExited = errors.New("pipeline: the function ended its goroutine with runtime.Goexit")
