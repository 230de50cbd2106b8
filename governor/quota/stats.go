package quota

import (
	"cmp"
	"slices"
	"time"
)

// Stats is what Quotas know at one instant. Entities are read one after the
// other, each consistent in itself.
type Stats struct {
	Producers int // N of the percentages
	// Entities are those charged lately under the quotas that are in force now,
	// ordered by key, user and client-id. An entity appears once for each key that is
	// set for anybody.
	Entities []Usage
	// Exempt is the time reported to Quotas.Exempt, and ExemptPercent its share
	// of one producer's time over the last 30 s to 90 s.
	Exempt        time.Duration
	ExemptPercent float64
}

// Stats returns what is known. It costs up to 2 µs an entity, most of it for the order.
func (q *Quotas) Stats(now time.Time) Stats {
	t := q.since(now)
	r := q.rules.Load()
	s := Stats{Producers: r.producers}
	s.Exempt, s.ExemptPercent = q.exempt.read(t)
	for _, a := range q.all() {
		if a.follow(t, r) {
			s.Entities = append(s.Entities, q.usage(t, a))
		}
	}
	slices.SortFunc(s.Entities, func(a, b Usage) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.User, b.User), cmp.Compare(a.ClientID, b.ClientID))
	})
	return s
}

func (q *Quotas) all() (all []*account) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for k := range kinds {
		for _, a := range q.accounts[k] {
			all = append(all, a)
		}
		if q.others[k] != nil {
			all = append(all, q.others[k])
		}
	}
	return all
}

// Describe returns the quota that an identity has and what those who share it have
// used, for each of the three keys: RequestTimePercent, ProducerByteRate and
// ConsumerByteRate, always in this order. It makes no entity.
func (q *Quotas) Describe(now time.Time, id Identity) []Usage {
	t, r := q.since(now), q.rules.Load()
	var all []Usage
	for _, k := range []kind{requestTime, producerBytes, consumerBytes} {
		key, from := r.resolve(k, id.normal())
		q.mu.Lock()
		a := q.accounts[k][key]
		q.mu.Unlock()
		u := Usage{Key: keys[k], User: key.User.text, ClientID: key.ClientID.text}
		if a != nil {
			a.setLimit(t, r.limit(k, key, from))
			u = q.usage(t, a)
		} else {
			u.describe(k, r, from, q.options.Window)
		}
		all = append(all, u)
	}
	return all
}
