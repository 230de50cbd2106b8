package monitor

import (
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// quotaMetrics are those of each user and client-id that has been charged. The
// three quotas have other units, so each has metrics of its own.
var quotaMetrics = concat(
	quotaMetricsOf(quota.RequestTimePercent, "request",
		counter("quota_request_seconds", "Time of the producers that was used.",
			of(quota.RequestTimePercent, func(u *quota.Usage) float64 { return time.Duration(u.Total).Seconds() }), "user", "client_id")),
	quotaMetricsOf(quota.ProducerByteRate, "producer",
		counter("quota_producer_bytes", "Bytes that were produced.",
			of(quota.ProducerByteRate, func(u *quota.Usage) float64 { return float64(u.Total) }), "user", "client_id")),
	quotaMetricsOf(quota.ConsumerByteRate, "consumer",
		counter("quota_consumer_bytes", "Bytes that were consumed.",
			of(quota.ConsumerByteRate, func(u *quota.Usage) float64 { return float64(u.Total) }), "user", "client_id")),
)

func quotaMetricsOf(key quota.Key, name string, used metric) []metric {
	name = "quota_" + name
	return []metric{
		used,
		gauge(name+"_utilization_ratio", "Present use as a share of the quota.",
			of(key, func(u *quota.Usage) float64 { return u.Utilisation }), "user", "client_id"),
		counter(name+"_throttle_seconds", "Throttle time that was imposed.",
			of(key, func(u *quota.Usage) float64 { return u.Delayed.Seconds() }), "user", "client_id"),
		counter(name+"_wait_seconds", "Time for which work was really held up.",
			of(key, func(u *quota.Usage) float64 { return u.Waited.Seconds() }), "user", "client_id"),
	}
}

// of reads one number of each entity that is charged for a quota.
func of(key quota.Key, of func(*quota.Usage) float64) func(*reading, emit) {
	return func(r *reading, emit emit) {
		for i := range r.stats.Quotas.Entities {
			u := &r.stats.Quotas.Entities[i]
			if u.Key == key {
				emit(of(u), user(u), u.ClientID)
			}
		}
	}
}

// user names the user of a budget. The one that newcomers share has no user.
func user(u *quota.Usage) string {
	if u.Other {
		return "(others)"
	}
	return u.User
}

func concat(groups ...[]metric) (all []metric) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}
