// Scaleout runs one pipeline in several processes behind a broker, and shows
// that nothing is lost when one of them is killed.
//
//	go run ./examples/scaleout
//	go run ./examples/scaleout -kill
//	go run ./examples/scaleout -workers 3 -kill -duration 20s -json
//
// The program starts an embedded NATS server with JetStream, whose stream is kept
// in files, and a few processes of itself as workers. It publishes quotes of 2400
// symbols. A symbol belongs to one of 12 partitions, by a hash. Each partition is
// a subject with a durable consumer of its own, and has one owner among the
// workers, which runs a pipeline for it: source, cache, sink. The sink is slow on
// purpose, so quotes are conflated. A quote is acknowledged when the sink has it,
// or a newer one of its symbol is in the cache.
//
// After a third of the run one symbol in ten is halted. With -kill one worker gets
// SIGKILL then, with some of their last quotes in hand. Its partitions go to the
// others at once. What it had in hand comes again when the broker has
// waited for -ack-wait, and the new owner begins with that. After half of the run
// the worker is started again and gets partitions back: their owner first drains
// what it has and stops, then the worker starts.
//
// Once a second it prints, for each worker, the messages that it got from the
// broker and the entries that the sink got from it. When partitions move it prints
// who owns which.
//
// # What is checked
//
// The sink keeps the newest version of each symbol, and refuses an older one. At
// the end the last version published of every symbol must be there. The last line
// has, with -json:
//
//	produced     quotes that the broker has stored
//	keys         symbols that were published
//	final_ok     of these, whose last version arrived
//	lost         of these, whose last version did not arrive
//	stale        entries that came after a newer one of their symbol without excuse
//	redelivered  messages that workers got and that had been delivered before
//	workers      processes, not counting the restart
//	repeated     entries refused by the sink, with excuse
//	written      entries taken by the sink
//
// The excuse is at-least-once delivery: a worker can die when the sink has an
// entry and the broker has not yet got the acknowledgement. The new owner gets
// the message again, and possibly an older one that it superseded. A busy broker,
// too, can deliver a message again that its owner has acknowledged just now. There
// is no excuse for a message that was delivered once, nor for one that a new owner
// gets behind a newer one.
//
// # Exit status
//
// It is 1 if a last version is lost, an entry is stale or the run fails, and 2 if
// a flag makes no sense. An interrupt ends the run and drains what waits.
package main
