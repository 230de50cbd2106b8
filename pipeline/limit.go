package pipeline

import (
	"time"

	"github.com/headrace/headrace/governor"
)

// newLimiter returns nil without a limit. A Gradient2 by itself is updated over
// windows: the variance of single samples would pull its limit down.
func newLimiter[K comparable, V any](config Config[K, V], log events, async bool) (*governor.Limiter, error) {
	limit := config.Limit
	if limit == nil {
		return nil, nil
	}
	if g, ok := limit.(*governor.Gradient2); ok {
		limit = &governor.Windowed{Limit: g}
	}
	o := governor.LimiterOptions{Limit: limit, Errors: config.LimitErrors, OnLimit: log.limit}
	if !async {
		o.Ceiling = config.Workers // a limit above it would stay app-limited for ever
	}
	return governor.NewLimiter(o)
}

// endPermit ends the permit of a job, even if LimitErrors ends the goroutine.
func (r *run[K, V]) endPermit(permit governor.Token, end time.Time, err error) {
	outcome := governor.Ignored
	defer func() { permit.End(end, outcome) }()
	outcome = r.outcome(err)
}

// outcome is what a job counts as for the limit.
func (r *run[K, V]) outcome(err error) (o governor.Outcome) {
	switch {
	case r.limiter == nil:
		return governor.Ignored
	case err == nil:
		return governor.Succeeded
	case panicked(err):
		return governor.Dropped
	}
	r.log.call("LimitErrors", func() { o = r.limiter.Outcome(err) })
	return o
}
