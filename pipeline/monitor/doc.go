// Package monitor shows pipelines: to Prometheus, and on a live page.
//
// The page is mounted on any mux, in one line, and needs nothing but itself:
//
//	mux.Handle("/headrace/", monitor.Handler(quotes, orders))
//
// It draws each pipeline with its figures as they are now and over the last
// minutes: rates, conflation, service time between the governor's lines,
// divisor, age, what waits and what is in flight. It tells the last decisions of
// the governor in words, the hottest keys, whether the ledger balances, and how
// quotas are used. It only reads, and it shows keys and user names, so it
// belongs where those may be seen. A tab gets a frame of each pipeline every
// second through a cache of its own: a slow one gets fewer and holds up nothing.
//
// A stream ends when its tab goes away. http.Server.Shutdown waits for that;
// http.Server.Close, or a BaseContext that ends, does not.
//
// The collector is registered once for all pipelines of a program:
//
//	registry.MustRegister(monitor.NewCollector(quotes, orders))
//
// # Metrics
//
// Every metric has the label pipeline. Metrics of a part that a pipeline has
// not are left out. Histograms come in the native form (8 buckets an octave) and
// in the classic one. The folder grafana has a dashboard and alert rules.
//
//	histograms
//	headrace_admit_seconds                        arrival to cache, of one value in 16
//	headrace_wait_seconds                         in the cache until leased
//	headrace_service_seconds                      lease to done
//	headrace_age_seconds                          arrival of the newest merged value to done
//	headrace_oldest_seconds                       arrival of the first merged value to done
//
//	counters of the ledger
//	headrace_puts_total                           values handed to the cache
//	headrace_inserted_total                       values that made a new entry
//	headrace_merged_total                         values merged into a waiting entry
//	headrace_annihilated_total                    deletes, and as many entries, that cancelled out
//	headrace_done_total                           entries processed
//	headrace_dead_total                           entries given up: dead letters
//	headrace_joined_total                         failed entries that became one with a waiting one
//	headrace_dropped_total                        by reason: rejected, stale, evicted, expired, revoked
//
//	the cache
//	headrace_waiting_entries
//	headrace_waiting_bytes
//	headrace_oldest_waiting_seconds               age of the entry that waits longest
//
//	the consumer
//	headrace_in_flight_entries
//	headrace_oldest_in_flight_seconds
//	headrace_failed_attempts_total
//	headrace_panics_total
//	headrace_overdue_total                        entries read for their age, whatever the pace
//	headrace_limit                                with a limit
//	headrace_limit_in_flight
//	headrace_limit_ended_total                    by reason: succeeded, ignored, dropped
//
//	the pace: with a metronome, and from headrace_high_seconds on with a governor
//	headrace_divisor                              beats a pass
//	headrace_gear                                 entries that a pass releases
//	headrace_effective_reads_per_second
//	headrace_high_seconds                         the governor's thresholds
//	headrace_low_seconds
//	headrace_pinned_at_max_seconds_total          at the largest divisor
//	headrace_braking_seconds_total
//	headrace_stuck_entries
//	headrace_decisions_total                      by reason
//
//	producers, with the label producer
//	headrace_producer_received_total
//	headrace_producer_admitted_total
//	headrace_producer_rejected_total
//	headrace_producer_invalid_total
//	headrace_producer_failures_total
//	headrace_producer_restarts_total
//	headrace_producer_connected                   sources that are open
//
//	quotas, with the labels user and client_id
//	headrace_quota_request_seconds_total          time of the producers that was used
//	headrace_quota_request_utilization_ratio      share of the quota that is used
//	headrace_quota_request_throttle_seconds_total throttle time imposed
//	headrace_quota_request_wait_seconds_total     time really held up
//	headrace_quota_producer_bytes_total           and the same for bytes produced
//	headrace_quota_producer_utilization_ratio
//	headrace_quota_producer_throttle_seconds_total
//	headrace_quota_producer_wait_seconds_total
//	headrace_quota_consumer_bytes_total           and for bytes consumed
//	headrace_quota_consumer_utilization_ratio
//	headrace_quota_consumer_throttle_seconds_total
//	headrace_quota_consumer_wait_seconds_total
//
// The package example serves the page.
package monitor
