package pipeline

// each calls f with the numbers from first to n-1. Should f panic or end the
// goroutine, the numbers behind are not left out.
func each(first, n int, f func(int)) {
	i := first
	defer func() {
		if i < n {
			each(i, n, f)
		}
	}()
	for i < n {
		i++
		f(i - 1)
	}
}
