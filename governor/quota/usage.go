package quota

import (
	"fmt"
	"time"
)

// Usage is what an entity has used of one quota, and what it may use.
type Usage struct {
	Key Key
	// User and ClientID say who shares the budget. An empty one is not part of it:
	// a quota of a user is shared by all clients of that user. Without a quota each
	// client-id of each user is measured by itself.
	User     string
	ClientID string
	// Other is set for the budget that newcomers with a quota share while MaxEntities are
	// remembered. Its limit is that of the last one to join.
	Other bool

	// Level is the level that has the quota, 1 to 8 as in the package
	// documentation, and Entity where it is set. Level 0 means no quota.
	Level  int
	Entity Entity
	// Limit is the quota as it is set: percent of the time of all producers, or
	// bytes per second. Zero means none.
	Limit float64
	// Budget is what the percentage comes to; zero for the other keys.
	Budget Budget

	// Used is the present rate, in the unit of Limit, and Window the time that it
	// is measured over. Utilisation is Used/Limit; zero without a limit.
	Used        float64
	Window      time.Duration
	Utilisation float64
	// Total is all that was charged: nanoseconds or bytes.
	Total int64

	Throttled uint64        // charges that were answered with a delay
	Delayed   time.Duration // sum of these delays
	MeanDelay time.Duration // mean of those of the last 30 s to 90 s; zero if there are none
	Waited    time.Duration // time that gates have really been held up, to this moment
	Waiting   int           // gates that are held up now
	Mute      time.Duration // left of the mute deadline
}

// String returns the quota and where it is set, such as
// "request_time_percent=1.0 (1 % of 8 workers = 80ms per 1s) from users/alice".
func (u Usage) String() string {
	if u.Level == 0 {
		return string(u.Key) + ": none"
	}
	if u.Key == RequestTimePercent {
		return fmt.Sprintf("%s=%s (%v) from %v", u.Key, percentText(u.Limit), u.Budget, u.Entity)
	}
	return fmt.Sprintf("%s=%.0f from %v", u.Key, u.Limit, u.Entity)
}

// usage reads an account.
func (q *Quotas) usage(t time.Duration, a *account) Usage {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := Usage{Key: keys[a.kind], User: a.key.User.text, ClientID: a.key.ClientID.text, Other: a.other}
	if a.limit.rules != nil {
		u.describe(a.kind, a.limit.rules, a.limit.from, q.options.Window)
	}
	r := a.window.read(t)
	u.Window = r.span
	u.Used = r.rate()
	if a.kind == requestTime && a.limit.rules != nil {
		u.Used *= 100 / float64(time.Second) / float64(a.limit.rules.producers)
	}
	if a.limit.rate > 0 && a.limited() {
		u.Utilisation = r.rate() / a.limit.rate
	}
	u.Total = a.tally.total
	u.Throttled, u.Delayed, u.MeanDelay = a.tally.throttled, a.tally.delayed, a.tally.meanDelay(t)
	u.Waited, u.Waiting = a.waited(t), len(a.line.gates)
	u.Mute = max(0, a.muteUntil-t)
	return u
}

// describe fills in what does not depend on use.
func (u *Usage) describe(k kind, r *rules, from source, window time.Duration) {
	u.Level, u.Entity, u.Limit = from.level, from.entity, from.value
	if k == requestTime && from.level != 0 {
		u.Budget = Budget{Percent: from.value, Workers: r.producers, Window: window}
	}
}
