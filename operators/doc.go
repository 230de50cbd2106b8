// Package operators holds the steps of a stream: functions from sequence to
// sequence.
//
// A chain is named step by step, a line each:
//
//	valid := operators.Filter(ticks, Tick.TwoSided)
//	quotes := operators.Map(valid, Tick.Quote)
//	fresh := operators.Changed(quotes, Quote.Symbol, Quote.SamePrice)
//
// # One value at a time
//
// [Map], [TryMap], [Filter], [FlatMap], [Scan], [ScanBy], [Sequence],
// [EveryNth], [Changed] and [Tap] are plain loops. They start no goroutine, do
// not wait, and hold nothing back: for each value that comes in they hand out
// zero or more values before they ask for the next. So whatever comes out while
// a value is fed in belongs to that value, and a source can acknowledge it on
// that ground. [Throttle] keeps this too, but waits.
//
// [Chunk], [Tumble], [TumbleCount] and [Parallel] hold values back, and
// [JoinLatest] those of its right side. Their documentation says what that
// forbids and what to use instead.
//
// # Market data
//
// [Tumble] makes bars of trades: a fold for each symbol and span of event time.
// [TumbleCount] makes them of every n trades. [JoinLatest] puts a trade beside
// the quote at its moment:
//
//	bars := operators.Tumble(trades, time.Minute, Trade.At, Trade.Symbol, Bar{}, Bar.Add, late)
//	marked := operators.JoinLatest(events, Event.Symbol, Event.Trade, Event.Quote)
//
// None of them reads a clock or asks for more than one input: time is that of
// the values, and two streams are joined in the order in which one input brings
// them.
//
// # State
//
// A sequence can be ranged over again if its input can. State such as a sum or
// a counter lives in the range and starts afresh with each. Breaking out of a
// range stops the whole chain: nothing more is asked of the input. What
// several goroutines may range over at the same time is up to the input and the
// functions given; the operators share nothing between ranges.
//
// # Errors
//
// Steps that can fail or wait return an iter.Seq2 of a value and an error.
// [TryMap] is the fallible one; [Throttle] and [Parallel] take a context, since
// they wait. One rule holds for the three:
//
//   - A pair with an error stands in the place of a value, and the value beside
//     it means nothing.
//   - An error of one value does not end the sequence. Whoever ranges over it
//     decides: break to stop at the first error, or carry on.
//   - The end of the context that an operator took does end it. The last pair
//     then holds the context's error, as of [context.Context.Err]. No other
//     error comes from the operators themselves.
//
// An input that blocks must watch the context itself: no operator can call it
// off. Wrapped as func(ctx, in) the three are steps of TryVia in package
// pipeline; the context they need is caught by the closure:
//
//	func(ctx context.Context, in iter.Seq[string]) iter.Seq2[int, error] {
//		return operators.TryMap(in, strconv.Atoi)
//	}
//
// # Cost
//
// A step costs a function call or two for each value, 2 to 4 ns, and no
// allocation; one with a state for each key looks it up, which adds 20 to 60 ns.
// Ranging over a chain allocates a closure for each step, once.
// Keep what flows through small: values of up to 32 bytes and four fields stay
// in registers.
//
// Every operator panics on nonsense, such as a chunk of no values, when it is
// called and not when it is ranged over.
//
// The package example follows a feed through a chain.
package operators
