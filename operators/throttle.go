package operators

import (
	"context"
	"iter"
	"time"
)

// Throttle lets at most n values pass in each span of per: it spaces them per/n
// apart. Order is kept and nothing is dropped; a value that comes too soon
// waits, and its source with it. Throttle(ctx, in, 1, d) is one value every d.
// It panics if n or per is less than 1.
//
//	in:   12345 ------------------ 6
//	out:  1 -- 2 -- 3 -- 4 -- 5 -- 6
//
// The first value passes at once, and so does a value after a pause longer than
// per/n. A pause earns nothing: the values after it are spaced again. Only turns
// that a late timer let pass are made up for, without a gap and n at most, so
// that the rate holds for spacings below a millisecond too. A span of per can
// then hold that many more than n.
//
// Values pass one by one in the goroutine of the caller, so the tie between a
// delivery and its acknowledgement is kept.
//
// A value costs up to two clock readings; a range allocates one timer.
//
//   - Emits when a value has come and its turn has.
//   - Waits when the value before it passed less than per/n ago.
//   - Completes when the input ends.
//   - Cancels when ctx ends, while waiting or before a value passes. The value
//     in hand does not pass; the last pair holds the context's error.
func Throttle[T any](ctx context.Context, in iter.Seq[T], n int, per time.Duration) iter.Seq2[T, error] {
	if n < 1 {
		panic("operators: Throttle: n < 1")
	}
	if per < 1 {
		panic("operators: Throttle: per < 1")
	}
	return func(yield func(T, error) bool) {
		t := newTurns(n, per, time.Now())
		timer := time.NewTimer(per) // set anew for each wait
		defer timer.Stop()
		for v := range in {
			await(ctx, t, timer)
			if ended(ctx, yield) || !yield(v, nil) {
				return
			}
		}
	}
}

// await returns when the next turn has come, or when ctx ends.
func await(ctx context.Context, t *turns, timer *time.Timer) {
	wait := t.next(time.Now())
	if wait == 0 {
		return
	}
	timer.Reset(wait)
	select {
	case <-ctx.Done():
	case <-timer.C:
		t.woke(time.Now())
	}
}
