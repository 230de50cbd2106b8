package quota

import "time"

// account returns the account of an identity, with its limit up to date, and
// makes it if there is none. It returns nil for one that is not measured.
func (q *Quotas) account(t time.Duration, r *rules, k kind, id Identity) *account {
	key, from := r.resolve(k, id.normal())
	q.mu.Lock()
	a := q.find(t, k, key, from.level != 0)
	q.mu.Unlock()
	if a != nil {
		a.setLimit(t, r.limit(k, key, from))
	}
	return a
}

// find expects mu to be held. Where there is no room, newcomers with a quota share
// an account, and those without are not measured: they would have no limit there,
// and let the others off.
func (q *Quotas) find(t time.Duration, k kind, key Entity, limited bool) *account {
	if q.over {
		return nil
	}
	all := q.accounts[k]
	if a := all[key]; a != nil {
		return a
	}
	if len(all) >= q.options.MaxEntities && !q.makeRoom(t, k, limited) {
		if !limited {
			q.leftOut[k] = true
			return nil
		}
		if q.others[k] == nil {
			q.others[k] = newAccount(k, Entity{}, &q.options)
			q.others[k].other = true
		}
		return q.others[k]
	}
	a := newAccount(k, key, &q.options)
	a.active = t
	all[key] = a
	return a
}

// Expire forgets the entities that have not been charged for Options.Expiry and
// owe nothing, and returns how many. Watch calls it every 30 s. It costs about
// 100 ns an entity, during which no new entity can appear.
func (q *Quotas) Expire(now time.Time) int {
	t, n := q.since(now), 0
	q.mu.Lock()
	defer q.mu.Unlock()
	for k, all := range q.accounts {
		for _, a := range all {
			if q.dropIf(a, func() bool { return t-a.active > q.options.Expiry && !a.owes(t) }) {
				n++
			}
		}
		q.dissolve(t, kind(k))
		q.letIn(kind(k))
	}
	return n
}

// dissolve gives those that share a budget for want of room their own, when
// there is room and they owe nothing.
func (q *Quotas) dissolve(t time.Duration, k kind) {
	a := q.others[k]
	if a == nil || len(q.accounts[k]) >= q.options.MaxEntities {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.owes(t) {
		a.expired = true
		q.others[k] = nil
	}
}

func (q *Quotas) drop(a *account) { q.dropIf(a, func() bool { return true }) }

// dropIf expects mu to be held. It asks under the account's lock, so that no
// charge can come between the answer and the drop: a gate that comes later finds
// the account expired, and looks for its entity again.
func (q *Quotas) dropIf(a *account, condition func() bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !condition() {
		return false
	}
	a.expired = true
	delete(q.accounts[a.kind], a.key)
	return true
}
