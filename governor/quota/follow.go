package quota

import (
	"math"
	"time"
)

// limit is the limit of an account, as its identity resolved to it.
type limit struct {
	rules *rules
	key   Entity // the account's; where newcomers share, that of the last one
	from  source
	rate  float64 // ns or bytes per second; +Inf without a quota
}

// setLimit changes the limit. The history stays, so a lower limit bites with the
// next charge. Gates find out about new rules one by one: one that still has old
// ones in hand must not put the limit back.
func (a *account) setLimit(t time.Duration, l limit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.limit.rules != nil {
		if a.limit.rules.sequence > l.rules.sequence {
			return
		}
		a.bucket.fill(t, a.limit.rate)
	}
	a.limit = l
	if !a.limited() {
		a.muteUntil = min(a.muteUntil, t) // a removed quota holds nobody
	}
}

// follow brings the limit up to date, and reports false if nobody is charged to
// the account under the rules: what is in it is of the past. A limit from these
// rules shows that somebody is.
func (a *account) follow(t time.Duration, r *rules) bool {
	a.mu.Lock()
	last := a.limit
	a.mu.Unlock()
	if last.rules == r {
		return true
	}
	key := a.key
	if a.other {
		key = last.key
	}
	from, ok := r.again(a.kind, key)
	if !ok || a.other && from.level == 0 {
		return false
	}
	a.setLimit(t, r.limit(a.kind, key, from))
	return true
}

// limited reports whether the account has a quota.
func (a *account) limited() bool { return !math.IsInf(a.limit.rate, 1) }
