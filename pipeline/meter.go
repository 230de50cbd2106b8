package pipeline

import (
	"context"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// meter charges an instance of a producer for the deliveries it handles, and
// holds its source back while it is over its quota. It belongs to one
// goroutine. A nil meter charges nothing.
//
// What a delivery costs is the time from its arrival until all that comes of it
// is in the cache. The region uses the meter unless chains stand between: then
// the feeder next to the source takes it over, which alone sees arrivals.
type meter struct {
	gate   *quota.Gate
	inputs context.Context // ends the waits
	user   any             // the feeder that has it; nil for the region

	began time.Time
	idle  time.Duration // waited for room in the cache: that is not work
}

// meterKey is the key of the *meter in the context of a source.
type meterKey struct{}

// meterFor takes the meter of a context over, which may be done by another
// feeder further up after this one, and returns who had it. Nil if there is none.
func meterFor(ctx context.Context, user any) (m *meter, before any) {
	m, _ = ctx.Value(meterKey{}).(*meter)
	if m != nil {
		before, m.user = m.user, user
	}
	return m, before
}

// giveBack gives the meter back to who had it before.
func (m *meter) giveBack(before any) {
	if m != nil {
		m.user = before
	}
}

// until says what ends the waits.
func (m *meter) until(inputs context.Context) {
	if m != nil {
		m.inputs = inputs
	}
}

// begin is called when a delivery has arrived. It does nothing if somebody else
// has the meter.
func (m *meter) begin(user any) {
	if m != nil && m.user == user {
		m.began, m.idle = time.Now(), 0
	}
}

// wasIdle says that so much of the time since begin was no work.
func (m *meter) wasIdle(d time.Duration) {
	if m != nil {
		m.idle += d
	}
}

// end is called when the delivery is settled and before the next one is taken.
// It waits while the quota is used up, or until the stop.
func (m *meter) end(user any, bytes int64) {
	if m != nil && m.user == user {
		now := time.Now()
		m.gate.Charge(now, now.Sub(m.began)-m.idle, bytes)
		m.wait()
	}
}

// wait holds the source back. An error says that the stop or the end of the
// quotas has come, which the region finds out by itself.
func (m *meter) wait() {
	if m != nil {
		_ = m.gate.Wait(m.inputs)
	}
}
