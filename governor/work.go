package governor

import "time"

// Release says how an entry came to be handed to the consumer.
type Release struct {
	// At is when the entry was released: when credit and an eligible entry
	// first coincided. Latency counts from here, so that it holds the wait for
	// a free worker, but never the wait in the cache.
	At time.Time
	// Queued says that at that moment as many leases were open as there are
	// workers (or as a limit allows; or Parallel, for an asynchronous consumer).
	Queued bool
	// Beat says that the entry spent the credit of a passing beat, an owed one
	// included. Only such an entry is a sample; others (eager ones, those of a
	// drain) are merely in flight.
	Beat bool
}

// Work is an open lease as the governor sees it. Start returns it, and it goes
// to Done once. The zero Work must not be used.
type Work struct {
	release Release
	flight  *flight // nil for a pulling consumer
}
