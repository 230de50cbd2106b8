package monitor

// cacheMetrics are the ledger and what waits.
var cacheMetrics = []metric{
	counter("puts", "Values handed to the cache.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Puts })),
	counter("inserted", "Values that made a new entry.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Inserted })),
	counter("merged", "Values merged into a waiting entry.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Merged })),
	counter("annihilated", "Deletes, and as many entries, that cancelled out.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Annihilated })),
	counter("done", "Entries processed.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Done })),
	counter("dead", "Entries given up after the last attempt: dead letters.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Dead })),
	counter("joined", "Entries that failed and became one with a waiting entry.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Joined })),
	counter("dropped", "Values refused (rejected) or out of date (stale), and entries that made room (evicted), grew too old (expired) or were taken back by their source (revoked).",
		dropped, "reason"),

	gauge("waiting_entries", "Entries that wait in the cache.",
		always(func(r *reading) uint64 { return r.stats.Ledger.Waiting })),
	gauge("waiting_bytes", "Size of the values that wait in the cache, as the cache's SizeOf has it.",
		always(func(r *reading) int64 { return r.stats.Ledger.Bytes })),
	gauge("oldest_waiting_seconds", "Age of the entry that waits longest.",
		always(func(r *reading) float64 { return r.stats.OldestAge.Seconds() })),
}

func dropped(r *reading, emit emit) {
	l := &r.stats.Ledger
	emit(float64(l.Rejected), "rejected")
	emit(float64(l.Stale), "stale")
	emit(float64(l.Evicted), "evicted")
	emit(float64(l.Expired), "expired")
	emit(float64(l.Revoked), "revoked")
}
