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
// A [Source] yields deliveries. [FromSeq], [FromChannel], [FromFunc] and
// [FromBatches] make one of what Go has; package pubsub makes one of any Watermill
// subscriber. [Via] and [TryVia] put a chain of operators behind a source. A [Delivery] is stamped once,
// when the source yields it: all latencies count from there, and the stamp is the
// entry's place in the cache. It may carry a [Receipt], which is acknowledged
// once: when all that the chain made of the delivery is in the cache, or when
// there is nothing to put there, because it was filtered out or is invalid. It
// is refused when the cache had no room for it (Overflow Reject) or the pipeline
// had stopped. With [AckOnDone] it is acknowledged only when the entry that holds
// the value is done.
//
// Config.Op tells what a value does to its key: a [cache.Delete] takes the place
// of what waits, and a [cache.Append] is never merged. Config.Cache says what a
// merge is and how many entries may wait. A producer that finds no room waits for
// it, unless Overflow says otherwise. OnDrop is told of what found none.
//
// A source that has several values at hand makes one delivery of them, by
// Delivery.Batch, as FromBatches and FromChannel do. They are stamped alike, and
// up to 64 of them admitted under one lock, which more than doubles the throughput.
// A chain is fed the values one by one, and what comes of them goes on together,
// but for TryVia, whose chain may wait. Values are admitted one by one where one of
// your functions may run meanwhile: with AckOnDone, where Merge, MergeInto, Newer,
// SizeOf or HeadStart is set, and where an OnDrop may be told of what made room or
// was annihilated.
//
// Producer.Parallel runs several goroutines over one Source, which reorder what
// they read: see Cache.Newer and Partitioned. An [Intermittent] producer lets go
// of its input and takes it up again, at intervals or by how much waits. The
// input really is closed meanwhile, so what is sent then is the sender's affair.
//
// # Consumers
//
// A consumer has one of three forms:
//
//   - [Pipeline.Consume]: each worker processes one entry at a time.
//   - [Pipeline.ConsumeBatch]: each worker takes what is eligible at that moment,
//     up to a number. [BatchErrors] tell which entries of it failed.
//   - [Pipeline.ConsumeAsync]: the handler starts the work and returns; a call of
//     done ends it. Until then the key is leased.
//
// A key is never in two hands, and its values are processed in their order.
//
// # Pace
//
// Without a metronome a free worker takes the next entry at once. With one, each
// beat releases Config.Reads entries, at most what all workers can take in hand
// (an asynchronous consumer takes them all). A beat that finds all workers busy
// leaves its releases to whoever is free first; they last until the next beat and
// do not add up. A beat that finds nothing waiting is spent, so the first arrival
// in an empty cache waits for the next one. With a governor as well only every
// d-th beat passes, and the governor moves d by one at a time: up while entries
// take longer than Config.Governor.High from release to done and find all workers
// busy, and down again when they do not. While nothing waits and nothing is
// processed no timer runs.
//
// An entry that has waited for longer than Cache.MaxAge goes with the next beat,
// whether that passes or not, as soon as a worker is free. Stats.Overdue counts
// them.
//
// # Limit
//
// Config.Limit bounds the entries in the hands of the consumer, or the batches: a
// number ([governor.Fixed]), or one that is found from the time that they take
// ([governor.Gradient2]). What it refuses is not rejected. It stays in the cache
// and goes on coalescing. Timeouts and panics count as dropped work, which shrinks
// the limit; Config.LimitErrors says what other errors count as. Limit and
// governor can be used together or alone.
//
// # Quotas
//
// Config.Quotas bounds what each user may take of the producers' time, and the
// bytes that it may send and receive. A delivery costs the time from its arrival
// until all that the chains made of it is in the cache, without the wait for room.
// A producer over its quota is not read from until it is within it again, so its
// values wait at their source and in no latency. Workers over consumer_byte_rate
// take nothing. A stop waits for nobody's quota.
//
// # Failure
//
// An error or a panic of the handler sends the entry back to its old place. It
// is tried again after Config.Backoff; meanwhile newer values of its key join it
// and other keys go on. After Config.Attempts it is dead: DeadLetter gets it. A
// handler that ends its goroutine, as FailNow does, has failed too, and another
// worker takes the place of the one that is gone. A value for which Key, Op or
// Merge panics is invalid, as is one whose key no map can hold: OnInvalid gets the
// error. A panic in a callback is reported and changes nothing.
//
// A source that fails or panics ends the run, which drains and returns the error,
// unless Producer.OnFailure is [Restart], which starts it again after a back-off,
// or [CarryOn], which goes on without it.
//
// # Stop
//
// [Pipeline.Run] stops at the end of all sources, when ctx is cancelled, when a
// producer fails or at the Limit of the metronome. Then no source is asked for
// more, values in hand go into the cache, as do those that [Via] says, and what
// waits is processed in order, without regard to the pace unless Config.DrainPaced.
// Handlers do not notice: their context outlives the one given to Run. Only at
// Config.DrainTimeout after the cancellation or the failure are they cancelled. What
// they had goes back, an [UnfinishedError] counts what waits, and [Pipeline.Waiting]
// shows it. Sources end last. What did not return within Config.Grace of being
// cancelled is named by a [StuckError]; asynchronous work that is not done by then is
// counted as leased.
//
// The Limit alone does not drain: what waits then is left, and counted. What is in
// hand is finished.
//
// # Image and statistics
//
// With Config.Image the pipeline keeps the last processed value of each key, for
// late joiners and for checks: [Pipeline.Image] and [Pipeline.Images] read it.
//
// [Pipeline.Stats] is a snapshot: a ledger that balances, the counts of each
// producer, the pace, the limit, the quotas, and histograms of how long values
// took. [Stats.Since] gives the difference of two snapshots.
//
// # Log events
//
// Every event has the field pipeline, which is Config.Name. Those marked with *
// are written at most five times a second each. The statistics count them all,
// but for the panics of callbacks.
//
//	level  message                  fields
//	info   pipeline started         producers, workers
//	warn   values can outlast hold  producer, hold_limit, max_age
//	info   pipeline stopping        cause: "end of input", "cancelled", "producer failed", "metronome limit"
//	info   pipeline stopped         puts, merged, done, dead, waiting
//	error  pipeline stopped         puts, merged, done, dead, waiting, error
//	warn   drain deadline reached   waiting, leased
//	debug  governor decision        reason, from, to, signal, high, low, samples, queued, braked
//	debug  limit changed            from, to
//	warn   source restarts *        producer, backoff, error; stack after a panic
//	warn   source failed *          producer, error; stack after a panic
//	warn   handler failed *         key, attempt, error; stack after a panic
//	error  entry dead *             key, attempts, error; stack after a panic
//	warn   value dropped *          key, reason: "evicted", "expired", "stale", "annihilated", "revoked"
//	warn   value invalid *          producer, error; stack after a panic
//	warn   value rejected *         producer, error
//	error  callback panicked *      callback: "DeadLetter", "OnInvalid", "OnDrop", "OnDecision", "LimitErrors", "Bytes"; error, stack
//
// Values can outlast hold: with AckOnDone a value may wait for longer than
// Producer.HoldLimit, and would then be delivered again. Cache.MaxAge bounds that.
//
// Durations are written in the unit of zerolog.DurationFieldUnit, milliseconds
// unless the program sets it.
//
// The package example conflates the quotes of a feed.
package pipeline
