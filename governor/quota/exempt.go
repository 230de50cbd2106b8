package quota

import (
	"sync"
	"time"
)

// exempt meters work that no quota applies to.
type exempt struct {
	mu     sync.Mutex
	total  time.Duration
	window window
}

// Exempt records time spent on the framework's own work, such as checkpoints.
// It is metered, charged to nobody, and never delayed.
func (q *Quotas) Exempt(now time.Time, busy time.Duration) {
	e := &q.exempt
	e.mu.Lock()
	defer e.mu.Unlock()
	e.window.samples, e.window.size = meanSamples, meanSize
	busy = max(busy, 0)
	e.total = later(e.total, busy)
	e.window.record(q.since(now), int64(busy))
}

func (e *exempt) read(t time.Duration) (total time.Duration, percent float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.window.size == 0 {
		return 0, 0
	}
	return e.total, e.window.read(t).rate() / float64(time.Second) * 100
}
