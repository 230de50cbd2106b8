package cache

import "errors"

var (
	// ErrFull is returned for a new entry that found the cache at its bound, or
	// found others waiting for room.
	// A value for a key that already waits never gets it.
	ErrFull = errors.New("cache: full")

	// ErrKey is returned for a key that is not equal to itself, as one that
	// holds a floating-point NaN: it could never be found again.
	ErrKey = errors.New("cache: key is not equal to itself")

	// ErrClosed is returned for a put after Close, and for a take when the
	// cache is closed and nothing waits, is leased or backs off any more.
	ErrClosed = errors.New("cache: closed")
)
