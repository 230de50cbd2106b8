// Package pipeline runs streams whose input is faster than their consumer.
//
// A [Pipeline] has producer regions, a coalescing cache and a consumer region.
// Each producer feeds the cache from a goroutine of its own; workers take
// entries out and process them. A value that arrives for a key that still waits
// is merged into it and keeps its place, so what the consumer gets late is
// fresh all the same, and nothing queues behind the cache:
//
//	p, err := pipeline.New(pipeline.Config[string, Quote]{Key: Quote.Symbol})
//	if err != nil {
//		return err
//	}
//	p.Produce(pipeline.Producer[Quote]{Name: "feed", Source: source})
//	p.Consume(publish)
//	return p.Run(ctx)
//
// # Producers
//
// A [Source] yields deliveries. [FromSeq] and [FromChannel] make one of what Go
// has; package pubsub makes one of any Watermill subscriber. [Via] and [TryVia]
// put a chain of operators behind a source. A [Delivery] is stamped once, when
// the source yields it: all latencies count from there, and the stamp is the
// entry's place in the cache. It may carry a [Receipt], which is acknowledged
// once: when all that the chain made of the delivery is in the cache, or when
// there is nothing to put there, because it was filtered out or is invalid. It
// is refused when the cache had no room for it (Overflow Reject) or the pipeline
// had stopped.
//
// Config.Cache says what a merge is and how many entries may wait. A producer
// that finds no room waits for it, unless Overflow says otherwise.
//
// # Pace
//
// Without a metronome a free worker takes the next entry at once. With one, each
// beat releases Config.Reads entries, at most one for each worker. A beat that
// finds all workers busy leaves its releases to whoever is free first; they last
// until the next beat and do not add up. A beat that finds nothing waiting is
// spent, so the first arrival in an empty cache waits for the next one. With a
// governor as well only every d-th beat passes, and the governor moves d by one
// at a time: up while entries take longer than Config.Governor.High from release
// to done and find all workers busy, and down again when they do not. While
// nothing waits and nothing is processed no timer runs.
//
// # Failure
//
// An error or a panic of the handler sends the entry back to its old place. It
// is tried again after Config.Backoff; meanwhile newer values of its key join it
// and other keys go on. After Config.Attempts it is dead: DeadLetter gets it. A
// value for which Key or Merge panics is invalid: OnInvalid gets the error. A
// source that fails or panics ends the run, which drains and returns the error.
// A panic in a callback is reported and changes nothing.
//
// # Stop
//
// [Pipeline.Run] stops at the end of all sources, when ctx is cancelled, when a
// producer fails or at the Limit of the metronome. Then no source is asked for
// more, values in hand go into the cache, and what waits is processed in order,
// without regard to the pace. Handlers do not notice: their context outlives the
// one given to Run. Only at Config.DrainTimeout after the cancellation or the
// failure are they cancelled. What they had goes back, an [UnfinishedError]
// counts what waits, and [Pipeline.Waiting] shows it. Sources end last. What did
// not return within Config.Grace of being cancelled is named by a [StuckError].
//
// The Limit alone does not drain: what waits then is left, and counted.
//
// # Statistics
//
// [Pipeline.Stats] is a snapshot: a ledger that balances, the counts of each
// producer, the pace, and histograms of how long values took. [Stats.Since]
// gives the difference of two snapshots.
//
// # Log events
//
// Every event has the field pipeline, which is Config.Name. Those marked with *
// are written at most five times a second each. The statistics count them all,
// but for the panics of callbacks.
//
//	level  message                 fields
//	info   pipeline started        producers, workers
//	info   pipeline stopping       cause: "end of input", "cancelled", "producer failed", "metronome limit"
//	info   pipeline stopped        puts, merged, done, dead, waiting
//	error  pipeline stopped        the same, and error
//	warn   drain deadline reached  waiting, leased
//	debug  governor decision       reason, from, to, signal, high, low, samples, queued, braked
//	warn   handler failed *        key, attempt, error; stack after a panic
//	error  entry dead *            key, attempts, error; stack after a panic
//	warn   value dropped *         key, reason: "evicted" or "stale"
//	warn   value invalid *         producer, error; stack after a panic
//	warn   value rejected *        producer, error
//	error  callback panicked *     callback: "DeadLetter", "OnInvalid", "OnDrop", "OnDecision"; error, stack
//
// Durations are written in the unit of zerolog.DurationFieldUnit, milliseconds
// unless the program sets it.
//
// The package example conflates the quotes of a feed.
package pipeline
