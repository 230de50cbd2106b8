package quota

import "time"

// evictionSample is how many entities are looked at to make room. Looking at all
// would make each newcomer cost as much as there are entities.
const evictionSample = 16

// makeRoom drops the entity that has been idle longest among a few that owe
// nothing, drawn at random by the order of the map. Those without a quota go first,
// and a newcomer without one takes the room of no other: a limited entity that is
// forgotten begins again with a full budget.
func (q *Quotas) makeRoom(t time.Duration, k kind, limited bool) bool {
	var idlest *account
	var since time.Duration
	looked, idlestLimited := 0, false
	for _, a := range q.accounts[k] {
		a.mu.Lock()
		better := idlest == nil || idlestLimited && !a.limited() || idlestLimited == a.limited() && a.active < since
		if better && (limited || !a.limited()) && !a.owes(t) {
			idlest, idlestLimited, since = a, a.limited(), a.active
		}
		a.mu.Unlock()
		if looked++; looked == evictionSample {
			break
		}
	}
	return idlest != nil && q.dropIf(idlest, func() bool { return !idlest.owes(t) })
}

// letIn measures those again that were left out for want of room, when there is
// room: new rules, even if they are the same, make each gate look for its account.
func (q *Quotas) letIn(k kind) {
	if !q.leftOut[k] || len(q.accounts[k]) >= q.options.MaxEntities {
		return
	}
	q.leftOut[k] = false
	r := q.rules.Load()
	q.rules.Store(r.withProducers(r.producers))
}
