package monitor

// paceMetrics are those of the metronome and the governor.
var paceMetrics = []metric{
	gauge("divisor", "Beats of the metronome for each pass.",
		paced(func(r *reading) int { return r.stats.Divisor })),
	gauge("gear", "Entries that a pass releases.",
		paced((*reading).reads)),
	gauge("effective_reads_per_second", "Reads per second that the pace allows.",
		paced(func(r *reading) float64 { return r.stats.Rate })),
	gauge("high_seconds", "Latency of the consumer above which the governor slows down.",
		governed(func(r *reading) float64 { return r.seen.High.Seconds() })),
	gauge("low_seconds", "Latency of the consumer below which the governor of an asynchronous consumer speeds up.",
		governed(func(r *reading) float64 { return r.seen.Low.Seconds() })),
	counter("pinned_at_max_seconds", "Time spent at the largest divisor.",
		governed(func(r *reading) float64 { return r.stats.Governor.AtMax.Seconds() })),
	counter("braking_seconds", "Time during which the brake of the governor held passes back.",
		governed(func(r *reading) float64 { return r.stats.Governor.Braking.Seconds() })),
	gauge("stuck_entries", "Entries in flight that the brake has given up on.",
		governed(func(r *reading) int { return r.stats.Governor.Stuck })),
	counter("decisions", "Decisions of the governor. One that changes nothing counts if its reason is new.",
		decisions, "reason"),
}

// reads is the gear: the governor's, or the one that was set.
func (r *reading) reads() int {
	if r.governed() {
		return r.stats.Governor.Reads
	}
	return r.seen.Reads
}

func decisions(r *reading, emit emit) {
	for reason, n := range r.seen.Decided {
		emit(float64(n), reason.String())
	}
}
