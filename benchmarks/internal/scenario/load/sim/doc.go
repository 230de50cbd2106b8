// Package sim runs a governor against a consumer in simulated time.
//
// Only the governor is real. The metronome beats each millisecond, an entry
// always waits, and Base is 10, so that 100 entries a second are handed out
// while the consumer is well. The same seed gives each entry the same work
// whatever paces it, so that a result is exact and the same in every run.
package sim
