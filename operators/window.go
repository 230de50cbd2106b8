package operators

import "time"

// Window is what [Tumble] makes of the values of one key in one span of time.
type Window[K comparable, S any] struct {
	Key K
	// Start and End bound the span: from Start, up to but not including End.
	// Both are in UTC.
	Start, End time.Time
	Value      S
	// Partial is whether the input ended before its time had reached End.
	Partial bool
}

// windows are the open windows of one range of Tumble. They all have the same
// span, since the time of any key closes those of all.
type windows[K comparable, S any] struct {
	start, end time.Time
	list       []Window[K, S] // in the order of their first values
	place      map[K]int      // of a key's window in list; nil before the first value
}

// follow returns windows with a span that holds t, and none open. They start
// with room for as many as the last span had, and no memory of it: a busy span
// must not cost anything for ever.
func (w *windows[K, S]) follow(t time.Time, width time.Duration) windows[K, S] {
	start := startOf(t, width)
	return windows[K, S]{
		start: start,
		end:   start.Add(width),
		list:  make([]Window[K, S], 0, len(w.list)),
		place: make(map[K]int, len(w.list)),
	}
}

// state returns where the state of a key is, until the next call.
func (w *windows[K, S]) state(k K, initial S) *S {
	i, open := w.place[k]
	if !open {
		i = len(w.list)
		w.place[k] = i
		w.list = append(w.list, Window[K, S]{Key: k, Start: w.start, End: w.end, Value: initial})
	}
	return &w.list[i].Value
}

// yieldAll yields the windows and reports whether to go on.
func (w *windows[K, S]) yieldAll(yield func(Window[K, S]) bool, partial bool) bool {
	for _, window := range w.list {
		window.Partial = partial
		if !yield(window) {
			return false
		}
	}
	return true
}

// startOf returns the last multiple of width since the Unix epoch that is not
// after t. Time.Truncate counts from the year 1, which is not a multiple of
// every width away.
func startOf(t time.Time, width time.Duration) time.Time {
	epoch := time.Unix(0, 0)
	shift := epoch.Sub(epoch.Truncate(width))
	return t.Add(-shift).Truncate(width).Add(shift).UTC()
}
