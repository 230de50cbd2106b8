package monitor

// consumerMetrics are what happens to the entries in the hands of the consumer.
var consumerMetrics = []metric{
	gauge("in_flight_entries", "Entries in the hands of the consumer.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Leased })),
	gauge("oldest_in_flight_seconds", "Time for which the consumer has held the entry that it holds longest.",
		always(func(r *reading) float64 { return r.stats.OldestLease.Seconds() })),
	counter("failed_attempts", "Handler calls that failed, panics included.",
		always(func(r *reading) uint64 { return r.stats.FailedAttempts })),
	counter("panics", "Handler calls that panicked.",
		always(func(r *reading) uint64 { return r.stats.Panics })),
	counter("overdue", "Entries that were read for their age, whatever the pace.",
		always(func(r *reading) uint64 { return r.stats.Overdue })),

	gauge("limit", "Entries, or batches, that may be in flight at once.",
		limited(func(r *reading) int { return r.stats.Limit.Limit })),
	gauge("limit_in_flight", "Entries, or batches, in flight that the limit counts.",
		limited(func(r *reading) int { return r.stats.Limit.InFlight })),
	counter("limit_ended", "Entries, or batches, by what they counted as for the limit.",
		limitEnded, "reason"),
}

func limitEnded(r *reading, emit emit) {
	if !r.limited() {
		return
	}
	l := &r.stats.Limit
	emit(float64(l.Succeeded), "succeeded")
	emit(float64(l.Ignored), "ignored")
	emit(float64(l.Dropped), "dropped")
}
