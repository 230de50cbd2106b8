package operators

import (
	"context"
	"iter"
)

// Parallel calls f for up to n values at the same time and yields what it
// returns in the order of the input. An error of f takes the place of its
// value and does not end the sequence. It panics if n < 1.
//
//	in:   1 -- 2 -- 3 -- |
//	f:    1 =========
//	           2 ==
//	                3 =====     (n = 3)
//	out:  ---------- 1 - 2 - 3
//
// The calls run in goroutines of their own; the input and the results stay in
// the goroutine of the caller. At most n calls are started and not yet yielded,
// so one slow call holds up those behind it. A value costs about half a
// microsecond and two allocations beside f; what is cheaper than that belongs in
// [Map] or [TryMap].
//
// However the range ends, by the end of the input, a break, a panic or the end
// of ctx, the context that f was given ends too, and Parallel returns only when
// every call has. An f that does not watch its context delays that. A panic in f
// is raised again in the goroutine of the caller, with the same value: when its
// turn comes, or when the range ends before.
//
//   - Emits when the oldest call has returned, and the input brings its next
//     value or ends. While the input pauses, no result comes out.
//   - Waits when n calls are under way, and after the end of the input: for the
//     oldest.
//   - Completes when the input has ended and all results are yielded.
//   - Cancels when ctx ends: results not yet yielded are dropped, and the last
//     pair holds the context's error. While the input blocks or the oldest call
//     runs on, that is seen only when it returns.
//
// Parallel holds values back, and so breaks the tie between a delivery and its
// acknowledgement: a result comes out while a later delivery is fed in, when its
// own counts as settled and has been acknowledged. Parallel must therefore not
// stand in front of a cache that acknowledges when an entry is done. To work on
// several values at once there, give the pipeline more Workers, which keep the
// order of each key, or a producer more instances with its Parallel field. These
// are also right for an input that pauses.
func Parallel[T, U any](ctx context.Context, in iter.Seq[T], n int, f func(context.Context, T) (U, error)) iter.Seq2[U, error] {
	if n < 1 {
		panic("operators: Parallel: n < 1")
	}
	return func(yield func(U, error) bool) {
		c := newCalls(ctx, n, f)
		defer c.stop()
		for v := range in {
			for c.full() || c.ready() {
				if !c.yieldOldest(ctx, yield) {
					return
				}
			}
			if ended(ctx, yield) {
				return
			}
			c.start(v)
		}
		for c.count > 0 {
			if !c.yieldOldest(ctx, yield) {
				return
			}
		}
	}
}
