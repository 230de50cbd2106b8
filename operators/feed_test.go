package operators_test

import "iter"

// feed is an input that counts what is asked of it.
type feed struct {
	pulled int
}

// upTo yields 1 to n.
func (f *feed) upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := 1; v <= n; v++ {
			f.pulled++
			if !yield(v) {
				return
			}
		}
	}
}

// upTo is not inlined, so that the benchmarks do not measure what the compiler
// makes of a chain whose input it sees through.
//
//go:noinline
func upTo(n int) iter.Seq[int] {
	return new(feed).upTo(n)
}

func even(v int) bool { return v%2 == 0 }

func add(a, b int) int { return a + b }

func same(v int) int { return v }
