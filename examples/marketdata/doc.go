// Marketdata shows a pipeline whose input is hundreds of times faster than its
// consumer, and a governor that paces the reads while the consumer is slow.
//
//	go run ./examples/marketdata
//	go run ./examples/marketdata -duration 9s -json
//	go run ./examples/marketdata -via watermill
//
// A simulated exchange quotes 500 symbols 200,000 times a second. The consumer
// takes a millisecond for each quote it is handed, and six in the middle third
// of the run. What it has no time for is conflated: while a quote waits, a newer
// one of its symbol takes its place.
//
// Once a second it prints a line: updates that came in and entries that went
// out, the share of the updates that was conflated, the divisor of the governor
// (a read each so many beats) and the rate of reads that it allows, how long the
// consumer took, how old the newest quote of an entry was when it was processed,
// and how many entries wait. They wait long, but what comes out is fresh: its age
// is the time between two quotes of a symbol, not the time in the cache.
//
// # More to see
//
// Trades must not be conflated. Each of them comes out, in order and right after
// the quote that came before it, which waits with it and ages:
//
//	go run ./examples/marketdata -trades
//
// Symbols of high value go first, and the others do not starve:
//
//	go run ./examples/marketdata -priority
//
// What has waited for 800 ms is read whatever the pace, by a free worker:
//
//	go run ./examples/marketdata -max-age 800ms
//
// A limit finds out by itself how much the consumer, a server with 32 places,
// can usefully have in hands. There is no pace here, so that the limit alone
// decides:
//
//	go run ./examples/marketdata -limit gradient2 -workers 64 -capacity 32 \
//		-consume 10ms -slowdown 1 -interval 0 -high 0 -rate 50000 -duration 60s
//
// It starts at 20 and comes to 36 in half a minute: the 32 places and the 4 that
// Gradient2 lets queue. From there it creeps up, by one in a minute or two. Try
// -limit 16, -limit 32 and -limit 64 instead. With a -capacity under 20 it starts
// in overload, takes that for normal and stays above: 27 for 16 places.
//
// What pace and what governor suit a consumer? Measure it while it is well:
//
//	go run ./examples/marketdata -calibrate -duration 5s
//
// # Exit status
//
// At the end every symbol is checked: the last quote that the consumer saw must
// be the last one that the exchange produced. So is every trade. The exit status
// is 1 if one is not right, or the output cannot be written, and 2 if a flag
// makes no sense. An interrupt ends the run and drains what waits; a second one
// does not wait for that.
package main
