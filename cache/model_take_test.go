package cache

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// eligible returns what can be taken, in order.
func (m *model) eligible(now time.Time) []*plain {
	var free []*plain
	for _, e := range m.waiting {
		if m.line(e.key)[0] == e && m.holder(e.key) == nil && !e.due.After(now) {
			free = append(free, e)
		}
	}
	slices.SortFunc(free, byPosition)
	return free
}

// expire drops what is over age, oldest first. An entry that moves up in its
// line by this may be over age too.
func (m *model) expire(now time.Time) {
	for m.o.expiry == Drop {
		old := slices.DeleteFunc(m.eligible(now), func(e *plain) bool {
			return !canDrop(e) || now.Sub(e.at) <= m.o.maxAge
		})
		if len(old) == 0 {
			return
		}
		e := slices.MinFunc(old, byArrival)
		m.waiting = remove(m.waiting, e)
		m.counts.Expired++
		m.settle("expired", e.ids)
		m.drop(e, now, Expired)
		m.ack(e)
	}
}

// overdue returns the oldest eligible entry if it is to be emitted now.
func (m *model) overdue(now time.Time) *plain {
	free := m.eligible(now)
	if m.o.maxAge == 0 || m.o.expiry != EmitNow || len(free) == 0 {
		return nil
	}
	if e := slices.MinFunc(free, byArrival); now.Sub(e.at) > m.o.maxAge {
		return e
	}
	return nil
}

func (m *model) take(e *plain, now time.Time) {
	m.leases++
	e.taken = now
	e.lease = m.leases
	e.attempts++
	e.due = time.Time{}
	m.waiting = remove(m.waiting, e)
	m.leased = append(m.leased, e)
}

func (m *model) done(e *plain) {
	m.leased = remove(m.leased, e)
	m.counts.Done++
	m.settle("done", e.ids)
	m.ack(e)
}

func (m *model) revoke(e *plain, taken time.Time) {
	m.leased = remove(m.leased, e)
	m.counts.Revoked++
	m.settle("revoked", e.ids)
	m.drop(e, taken, Revoked)
}

// nackWaiting refuses the receipts of all that waits.
func (m *model) nackWaiting() {
	for _, e := range m.waiting {
		m.nacks = append(m.nacks, e.receipts...)
		e.receipts = nil
	}
}

func (m *model) dead(e *plain, taken time.Time) {
	m.leased = remove(m.leased, e)
	m.counts.Dead++
	m.settle("dead", e.ids)
	m.drop(e, taken, Dead)
	m.ack(e)
}

// giveBack returns a leased entry, which then is the first of its line.
func (m *model) giveBack(e *plain, now time.Time, backoff time.Duration) {
	m.leased = remove(m.leased, e)
	if line := m.line(e.key); len(line) > 0 && e.op != Append && line[0].op != Append {
		younger := line[0]
		m.waiting = remove(m.waiting, younger)
		m.counts.Joined++
		m.combine(e, younger)
		e.ids = append(e.ids, younger.ids...)
		e.merged += younger.merged + 1
		e.attempts += younger.attempts
		e.cover(younger.newest, younger.first, younger.last)
	}
	e.due = now.Add(max(0, backoff))
	m.waiting = slices.Insert(slices.Clone(m.waiting), 0, e)
}

// oldestFirst returns all that waits by arrival, but nothing before what is in
// front of it in its line.
func (m *model) oldestFirst() []*plain {
	var all []*plain
	lines := make(map[string][]*plain)
	for _, e := range m.waiting {
		lines[e.key] = append(lines[e.key], e)
	}
	for len(lines) > 0 {
		var first *plain
		for _, line := range lines {
			if first == nil || byArrival(line[0], first) < 0 {
				first = line[0]
			}
		}
		all = append(all, first)
		if lines[first.key] = lines[first.key][1:]; len(lines[first.key]) == 0 {
			delete(lines, first.key)
		}
	}
	return all
}

// oldestLease returns when the entry was taken that is leased longest.
func (m *model) oldestLease(now time.Time) time.Time {
	for _, e := range m.leased {
		if e.taken.Before(now) {
			now = e.taken
		}
	}
	return now
}

// ledger returns the counts that the cache must show.
func (m *model) ledger() Ledger {
	l := m.counts
	l.Waiting, l.Leased, l.Bytes = uint64(len(m.waiting)), uint64(len(m.leased)), m.bytes()
	return l
}

// whereabouts returns an error unless each of the ids 1..n is in one place.
func (m *model) whereabouts(n int) error {
	where := maps.Clone(m.settled)
	note := func(place string, ids []int) error {
		for _, id := range ids {
			if other, ok := where[id]; ok {
				return fmt.Errorf("value %d is %s and %s", id, other, place)
			}
			where[id] = place
		}
		return nil
	}
	for _, e := range m.waiting {
		if err := note("waiting", e.ids); err != nil {
			return err
		}
	}
	for _, e := range m.leased {
		if err := note("leased", e.ids); err != nil {
			return err
		}
	}
	for _, t := range m.pending {
		if err := note("pending", t.value.ids); err != nil {
			return err
		}
	}
	if len(where) != n {
		return fmt.Errorf("%d of %d values are accounted for: %v", len(where), n, where)
	}
	return nil
}
