package operators

import (
	"iter"
	"time"
)

// Tumble folds the values of each key into windows of event time, one after the
// other, such as trades into bars of a minute. It panics if width < 1 or late is
// nil.
//
//	at:   0:10 -- 0:20 -- 0:50 -- 1:05 ------- |
//	in:   a1 ---- b5 ---- a2 ---- b1 --------- |
//	out:  ----------------------- a3 - b5 ---- b1     (sums of a minute)
//
// The time of a value is what at returns; no clock is read. Spans lie on
// multiples of width since the Unix epoch, so a day is one of UTC, and are half
// open: a value at the very end of one belongs to the next.
//
// Time is that of all keys together: the first value at or after the end of the
// span, of whatever key, closes the windows of every key. So a quiet symbol gets
// its bar when the market has moved on, and not when it trades again. The
// windows of a span come out in the order of their first values, before the
// value that closed them is folded. A key without a value in a span has no
// window there, and a gap of several spans brings none.
//
// A value before the start of the open span is late. Its window has come out
// already, or would have: it is not folded but handed to late, in the goroutine
// of the caller, to be counted or mended there. Within the span any order of
// time will do; f sees the values as they come. One value with a time far ahead
// makes all that follow late, so times should be checked before, with [Filter].
//
// Every window starts from initial, of which holds what [Scan] says.
//
// A range keeps a state for each key of the open span and drops them with it. A
// value costs one map look-up, a span one map and one slice.
//
//   - Emits when a value at or after the end of the span comes, and at the end
//     of the input, then with Partial set.
//   - Waits never. While the input pauses the windows stay open, however late it
//     is by the clock. Heartbeats under a key of their own, filtered out behind,
//     would close them.
//   - Completes when the input has ended and the open windows are yielded.
//   - Cancels when the range is broken off. Windows not yet yielded are lost,
//     and so is the value that closed them.
//
// Tumble holds values back, and so breaks the tie between a delivery and its
// acknowledgement: a value counts as settled when it is folded, and is
// acknowledged long before its window comes out. Tumble must therefore not stand
// in front of a cache that acknowledges when an entry is done. There, let the
// cache fold: Map each value to a window of that one value, name key and start
// in the Key of the pipeline, and add windows up in the Merge of the cache. The
// handler then gets a window in parts, and adds each to what it has stored.
//
// Where Tumble can stand, a cache behind it needs the start in its key as well,
// or it would merge a bar into the next one of its symbol.
func Tumble[K comparable, T, S any](
	in iter.Seq[T], width time.Duration, at func(T) time.Time,
	key func(T) K, initial S, f func(S, T) S, late func(T),
) iter.Seq[Window[K, S]] {
	if width < 1 {
		panic("operators: Tumble: width < 1")
	}
	if late == nil {
		panic("operators: Tumble: late is nil")
	}
	return func(yield func(Window[K, S]) bool) {
		var open windows[K, S]
		for v := range in {
			t := at(v)
			switch {
			case open.place == nil || !t.Before(open.end):
				if !open.yieldAll(yield, false) {
					return
				}
				open = open.follow(t, width)
			case t.Before(open.start):
				late(v)
				continue
			}
			state := open.state(key(v), initial)
			*state = f(*state, v)
		}
		open.yieldAll(yield, true)
	}
}
