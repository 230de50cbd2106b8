// Package kafka reads Kafka into a pipeline, at least once: the offset of a
// record is committed when the value it went into has been processed.
//
//	p.Produce(pipeline.Producer[Quote]{
//		Source: kafka.Consume(kafka.Options{
//			Client: []kgo.Opt{
//				kgo.SeedBrokers("localhost:9092"),
//				kgo.ConsumerGroup("prices"),
//				kgo.ConsumeTopics("quotes"),
//			},
//			Window: 10_000, // more than there are keys
//		}, decode),
//		Acknowledge: pipeline.AckOnDone,
//		Window:      10_000,
//		Parallel:    2, // two members of the group
//		Partitioned: true,
//	})
//
// Values meet in the cache because up to Options.Window records are in hand at
// once. They are acknowledged in any order, while Kafka has one offset for each
// partition: what is committed is the offset up to which everything is done.
// When the window is full nothing is polled, and the client stops to fetch. No
// record is held for too long: a member is in the group as long as its process
// lives, however long a value waits.
//
// Keys must be partitioned, as they are when the producer gives each record its
// key. Then the members of the group share the work by key, on as many machines
// as there are partitions.
//
// # Guarantees
//
// With AckOnDone, and a Cache.Merge that keeps the latest value or adds up:
//
//	a stop             loses nothing. What was not processed until DrainTimeout
//	                   comes again, with what was done behind it in its partition.
//	a crash            loses nothing. What comes again is what was in hand, what
//	                   was done behind it in its partition (Options.Uncommitted
//	                   bounds that), and what was done since the last commit
//	                   (kgo.AutoCommitInterval).
//	a partition that   loses nothing. What is done is committed before another
//	is revoked         member gets the partition. Entries that wait leave the
//	                   cache unprocessed, and go to that member. One that a
//	                   handler is at work on is processed here and there.
//	and comes back     what still waits here, or is with a handler, goes on as
//	                   before and counts once.
//	a session that     as a partition that is revoked, except that nothing can be
//	is lost            committed: what was done since the last commit comes again.
//	none of these      each record counts once.
//
// With AckOnAdmit a crash loses what is in the cache, and no more.
//
// # Order
//
// The records of a partition, and so of a key, come in the order of their
// offsets, and begin again with the first that is not committed. So after a
// crash or a rebalance the values of a key may go back and come again, but the
// last one to be processed is the last one there is. The order is lost when a
// record is refused, which happens with Overflow Reject: it comes again behind
// newer ones. Cache.Newer sorts that out while they meet in the cache. A handler
// that must never go back keeps Entry.Last with what it stores, and passes over
// an entry with a lower one.
//
// A partition that is gone, from a handler that is still at work, is the one case
// in which two processes handle a key at the same time.
//
// Beyond the library this module needs franz-go. The package example runs it
// against a Kafka in the same process.
package kafka
