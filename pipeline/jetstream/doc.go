// Package jetstream reads NATS JetStream into a pipeline, at least once: a
// message is acknowledged when the value it went into has been processed.
//
//	consumer, err := stream.CreateOrUpdateConsumer(ctx, "quotes", jetstream.ConsumerConfig{
//		Durable:       "prices",
//		AckPolicy:     jetstream.AckExplicitPolicy,
//		MaxAckPending: 10_000, // more than there are keys
//	})
//	...
//	p.Produce(pipeline.Producer[Quote]{
//		Source:      source.Consume(consumer, source.Options{}, decode),
//		Acknowledge: pipeline.AckOnDone,
//		Window:      source.Window(consumer),
//	})
//
// Here source is this package and jetstream that of nats.go.
//
// Values meet in the cache because up to MaxAckPending messages are in hand at
// once. All of them are taken off the client and held in memory, and while one
// waits the server is told so: AckWait need only be longer than the network may
// be away, not than values wait. It is also how long a restart after a crash
// takes until it goes on.
//
// # Guarantees
//
// With AckOnDone, and a Cache.Merge that keeps the latest value or adds up:
//
//	a stop              loses nothing. What was not processed until DrainTimeout,
//	                    or not handed out, comes again.
//	a crash             loses nothing. What was in hand comes again, when AckWait
//	                    is over. An entry that was done shortly before may be
//	                    done again: its acknowledgement was under way.
//	a lost connection   loses nothing. If it is away for longer than AckWait, the
//	                    server delivers again; what is still in hand then counts
//	                    once, what was done meanwhile is done again.
//	none of these       each message counts once.
//
// With AckOnAdmit a crash loses what is in the cache, and no more.
//
// # Order
//
// Messages come in the order of the stream. After a crash they do as well: a
// source that opens first waits, for AckWait at most, until what was in other
// hands has come again. Without that, the last value to be processed could be
// an old one. The order is lost
//
//   - when a message is refused, which happens with Overflow Reject, or is given
//     up after Options.HoldLimit: it comes again behind newer ones;
//   - when the connection was away for longer than AckWait;
//   - between processes, or the sources of a producer with Parallel, that
//     consume from one consumer at the same time (Options.Shared), as in an
//     overlapping restart.
//
// Cache.Newer sorts out values that meet in the cache, but knows nothing of
// those that are done. A handler that must never go back keeps Entry.Last with
// what it stores, and passes over an entry with a lower one.
//
// To share the work by key, let the stream put its subjects into partitions (the
// partition function of subject mappings), give each partition a consumer with
// a FilterSubject, and read each consumer in one process at a time.
//
// Beyond the library this module needs nats.go. The package example runs it
// against a server in the same process.
package jetstream
