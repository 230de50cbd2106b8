// Package pubsub connects pipelines to Watermill: any Watermill subscriber is
// a source, any publisher a handler, and any subscriber of a router can be made
// to conflate.
//
//	source := pubsub.Subscribe(subscriber, "quotes", decode)
//	p.Produce(pipeline.Producer[Quote]{Name: "quotes", Source: source})
//	p.Consume(pubsub.Publish(publisher, "conflated", encode))
//
// In a router, where the handlers stay as they are:
//
//	conflator, err := pubsub.NewConflator(pubsub.ConflateOptions{Key: pubsub.MetadataKey("symbol")})
//	...
//	router.AddSubscriberDecorators(conflator.Decorate)
//	...
//	err = conflator.Drain(ctx) // before router.Close, so that nothing is lost
//
// # What is acknowledged when, and what is lost
//
// Nearly every Watermill subscriber hands out the next message only after the
// acknowledgement of the one before: its window is 1, for Kafka 1 for each
// partition, and so 1 for each key. Only GoChannel, unless it blocks its
// publishers, and HTTP have no such limit. Values can meet, and merge, only
// while several are in the pipeline. So there is a choice to make.
//
//	AckOnAdmit (default)
//	    acknowledged  when the value is in the cache
//	    merges        with every subscriber
//	    a crash       loses what waits and what is being handled: at most one
//	                  entry for each key, and one for each worker. 1000 keys and
//	                  200 entries a second are up to 1000 entries, that have
//	                  waited for up to 5 s; Stats.OldestAge and Ledger.Waiting tell
//	    a stop        loses nothing that is handled within DrainTimeout
//
//	AckOnDone, a merge that Replaces (as Latest does)
//	    acknowledged  when the entry is done, or dead after the dead-letter
//	                  callback, or dropped with a report; a superseded value
//	                  when its successor is in the cache
//	    merges        only with a Window larger than the number of keys in
//	                  motion, by about Window / keys
//	    a crash       loses nothing but values that were superseded: what was
//	                  not done is delivered again, up to Window messages, of
//	                  which some may have been handled
//	    a stop        refuses what waits at DrainTimeout: it is delivered again
//
//	AckOnDone, any other merge (as Sum)
//	    as above, but every value that was merged is held until the sum is done.
//	    A value that is delivered again is added again, if the crash came
//	    between the handling and the acknowledgement
//
// A value older than one that is done can arrive again, after a refusal or when
// HoldLimit is over. Cache.Newer compares it with what waits or is being
// handled, and knows nothing of what is done: a consumer that minds looks at
// the version itself.
//
// To have a window where the subscriber has none, Producer.Parallel, or
// ConflateOptions.Parallel, joins several subscriptions of one consumer group.
// They reorder messages, so Cache.Newer is demanded. With Kafka it does not help:
// all values of a key come from one partition, to one of the subscriptions.
//
// The state is that of one process. Where several share the messages of a
// topic, each key should come to one of them only, as with a Kafka partition.
//
// # Brokers
//
// GoChannel reorders messages unless BlockPublishUntilSubscriberAck is set, and
// whenever Persistent is, for those that were published before the
// subscription: the latest value is then not the last one published, and
// Cache.Newer is needed. It hands a refused message out again at once, in a hot
// loop, and keeps a goroutine for each message that nobody took. Conflate takes
// them at once, and refuses none before its end.
//
// The NATS client acknowledges a message when the callback of Watermill's
// subscriber returns, which it also does when AckWaitTimeout is over: a message
// held for longer is then lost. Give nats.ManualAck() among the
// SubscribeOptions of JetStreamConfig.
//
// A message that comes again while its first delivery is still held (UUID,
// metadata and payload are the same) does not go into the cache a second time:
// it is settled with the first.
//
// The context of a message ends at its acknowledgement. Conflate hands out
// contexts that live until the consumer is done, with the same values; Context
// returns one for decode to keep.
//
// To log what Watermill does to the pipeline's zerolog.Logger, give the
// subscriber watermill.NewSlogLogger(slog.New(zerolog.NewSlogHandler(log))).
// Watermill's trace level becomes zerolog's.
package pubsub
