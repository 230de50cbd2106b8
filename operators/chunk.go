package operators

import "iter"

// Chunk gathers n values into a slice. The last one is shorter if the input
// ends within it; none is empty. Each slice is new, and the caller's to keep.
// It panics if n < 1.
//
//	in:   1 -- 2 -- 3 -- 4 -- 5 |
//	out:  ---- [1 2] --- [3 4] -[5]     (n = 2)
//
// Chunk holds up to n-1 values back for as long as the input takes to bring the
// next, and loses them if the range is broken off. That breaks the tie between a
// delivery and its acknowledgement: a value that is held back has come out of no
// delivery yet, so its delivery counts as settled and is acknowledged before
// anything is done with it. Chunk must therefore not stand in front of a cache
// that acknowledges when an entry is done. To handle several values at once,
// let the consumer take them from the cache with ConsumeBatch of package
// pipeline, which settles each entry of the batch.
func Chunk[T any](in iter.Seq[T], n int) iter.Seq[[]T] {
	if n < 1 {
		panic("operators: Chunk: n < 1")
	}
	return func(yield func([]T) bool) {
		var chunk []T
		for v := range in {
			if chunk == nil {
				chunk = make([]T, 0, n)
			}
			chunk = append(chunk, v)
			if len(chunk) < n {
				continue
			}
			if !yield(chunk) {
				return
			}
			chunk = nil // the caller's now
		}
		if chunk != nil {
			yield(chunk)
		}
	}
}
