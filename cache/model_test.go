package cache

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// model is the cache as its documentation tells it: a list of entries that is
// searched from end to end. It follows every value by an id of its own and
// knows at any time where it is.
type model struct {
	merge    func(waiting, arriving tracked) tracked
	newer    func(waiting, arriving tracked) bool // nil: order of arrival
	replaces bool
	max      int
	overflow Overflow

	waiting []*plain
	leased  []*plain
	pending []tender       // puts that wait for room, in order
	settled map[int]string // what became of the values that are in no entry
	counts  Ledger         // but Waiting and Leased
	drops   []string
	seq     int
	closed  bool
}

// tracked is a value that tells which values it was made of.
type tracked struct {
	ids  []int
	rank int // for Newer
}

// plain is an entry. Its ids are all values that went in, those included that
// a merge kept nothing of.
type plain struct {
	key              string
	value            tracked
	ids              []int
	at, newest       time.Time
	seq              int
	first, last      uint64
	merged, attempts int
	due              time.Time
}

// tender is a value that is handed to the cache.
type tender struct {
	key      string
	value    tracked
	at       time.Time
	sequence uint64
	canWait  bool
	explode  bool // its merge panics
}

// outcome of a put.
type outcome struct {
	err      error
	pending  bool
	panicked bool
}

func (m *model) find(in []*plain, key string) *plain {
	for _, e := range in {
		if e.key == key {
			return e
		}
	}
	return nil
}

func (m *model) put(t tender) outcome {
	waiting, leased := m.find(m.waiting, t.key), m.find(m.leased, t.key)
	switch {
	case m.closed:
		m.reject(t)
		return outcome{err: ErrClosed}
	case m.stale(waiting, leased, t.value):
		m.counts.Puts++
		m.counts.Stale++
		m.settle("stale", t.value.ids)
		m.drop(t.key, t.value, 0, 0, Stale)
	case waiting != nil && t.explode:
		m.settle("panicked", t.value.ids)
		return outcome{panicked: true}
	case waiting != nil:
		m.counts.Puts++
		m.counts.Merged++
		waiting.value = m.combine(waiting.value, t.value)
		waiting.ids = append(waiting.ids, t.value.ids...)
		waiting.merged++
		waiting.cover(t.at, t.sequence, t.sequence)
	case m.max == 0 || len(m.waiting) < m.max:
		m.insert(t)
	case m.overflow == EvictOldest:
		victim := slices.MinFunc(m.waiting, byPosition)
		m.waiting = remove(m.waiting, victim)
		m.counts.Evicted++
		m.settle("evicted", victim.ids)
		m.drop(victim.key, victim.value, victim.merged, victim.attempts, Evicted)
		m.insert(t)
	case m.overflow == Wait && t.canWait:
		m.pending = append(m.pending, t)
		return outcome{pending: true}
	default:
		m.reject(t)
		return outcome{err: ErrFull}
	}
	return outcome{}
}

func (m *model) reject(t tender) {
	m.counts.Puts++
	m.counts.Rejected++
	m.settle("rejected", t.value.ids)
}

func (m *model) insert(t tender) {
	m.seq++
	m.counts.Puts++
	m.counts.Inserted++
	m.waiting = append(m.waiting, &plain{
		key: t.key, value: t.value, ids: slices.Clone(t.value.ids),
		at: t.at, newest: t.at, seq: m.seq, first: t.sequence, last: t.sequence,
	})
}

// admitPending lets those in that have waited, as far as there is room, and
// returns how many went on and with which error.
func (m *model) admitPending() (n int, err error) {
	for len(m.pending) > 0 && (m.closed || len(m.waiting) < m.max) {
		t := m.pending[0]
		m.pending = m.pending[1:]
		err = m.put(t).err
		n++
	}
	return n, err
}

func (m *model) cancelPending(i int) {
	m.reject(m.pending[i])
	m.pending = slices.Delete(slices.Clone(m.pending), i, i+1)
}

func (m *model) stale(waiting, leased *plain, v tracked) bool {
	if m.newer == nil || !m.replaces {
		return false
	}
	if waiting != nil {
		return !m.newer(waiting.value, v)
	}
	return leased != nil && !m.newer(leased.value, v)
}

func (m *model) combine(older, younger tracked) tracked {
	if m.newer != nil && !m.replaces && !m.newer(older, younger) {
		return m.merge(younger, older)
	}
	return m.merge(older, younger)
}

// eligible returns what can be taken, in order.
func (m *model) eligible(now time.Time) []*plain {
	var free []*plain
	for _, e := range m.waiting {
		if m.find(m.leased, e.key) == nil && !e.due.After(now) {
			free = append(free, e)
		}
	}
	slices.SortFunc(free, byPosition)
	return free
}

func (m *model) take(e *plain) {
	e.attempts++
	e.due = time.Time{}
	m.waiting = remove(m.waiting, e)
	m.leased = append(m.leased, e)
}

func (m *model) done(e *plain) {
	m.leased = remove(m.leased, e)
	m.counts.Done++
	m.settle("done", e.ids)
}

func (m *model) dead(e *plain) {
	m.leased = remove(m.leased, e)
	m.counts.Dead++
	m.settle("dead", e.ids)
	m.drop(e.key, e.value, e.merged, e.attempts, Dead)
}

// giveBack returns a leased entry, and whether that panicked.
func (m *model) giveBack(e *plain, now time.Time, backoff time.Duration, explode bool) (panicked bool) {
	younger := m.find(m.waiting, e.key)
	if younger != nil && explode {
		m.dead(e)
		return true
	}
	m.leased = remove(m.leased, e)
	if younger != nil {
		m.waiting = remove(m.waiting, younger)
		m.counts.Joined++
		e.value = m.combine(e.value, younger.value)
		e.ids = append(e.ids, younger.ids...)
		e.merged += younger.merged + 1
		e.attempts += younger.attempts
		e.cover(younger.newest, younger.first, younger.last)
	}
	e.due = now.Add(max(0, backoff))
	m.waiting = append(m.waiting, e)
	return false
}

// cover widens the entry by an arrival.
func (e *plain) cover(newest time.Time, first, last uint64) {
	if newest.After(e.newest) {
		e.newest = newest
	}
	if first != 0 && (e.first == 0 || first < e.first) {
		e.first = first
	}
	e.last = max(e.last, last)
}

// ledger returns the counts that the cache must show.
func (m *model) ledger() Ledger {
	l := m.counts
	l.Waiting, l.Leased = uint64(len(m.waiting)), uint64(len(m.leased))
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

func (m *model) settle(fate string, ids []int) {
	for _, id := range ids {
		if old, ok := m.settled[id]; ok {
			panic(fmt.Sprintf("value %d was %s and is now %s", id, old, fate))
		}
		m.settled[id] = fate
	}
}

func (m *model) drop(key string, v tracked, merged, attempts int, r Reason) {
	m.drops = append(m.drops, fmt.Sprint(key, v, merged, attempts, r))
}

func byPosition(a, b *plain) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.seq, b.seq))
}

func remove(from []*plain, e *plain) []*plain {
	return slices.DeleteFunc(slices.Clone(from), func(x *plain) bool { return x == e })
}

// The merges of the model tests.

func concat(waiting, arriving tracked) tracked {
	return tracked{slices.Concat(waiting.ids, arriving.ids), max(waiting.rank, arriving.rank)}
}

func higherRank(waiting, arriving tracked) bool { return arriving.rank > waiting.rank }

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
