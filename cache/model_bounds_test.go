package cache

import (
	"cmp"
	"slices"
	"time"
)

// enter makes a new entry, if there is room.
func (m *model) enter(t tender) outcome {
	switch {
	case t.turn || m.room(t):
	case m.o.overflow == Wait && t.canWait:
		m.pending = append(m.pending, t)
		return outcome{pending: true}
	case m.o.overflow != EvictOldest || !m.makeRoom(t):
		m.reject(t)
		return outcome{err: ErrFull}
	}
	m.seq++
	m.counts.Puts++
	m.counts.Inserted++
	e := t.entry()
	e.seq = m.seq
	if m.o.headStart != nil {
		e.lead = m.o.headStart(t.key, t.value)
	}
	m.waiting = append(m.waiting, e)
	return outcome{}
}

// room reports whether a newcomer fits and nobody waits for room before it.
func (m *model) room(t tender) bool {
	return t.op == Delete || len(m.pending) == 0 && m.fits(t)
}

func (m *model) fits(t tender) bool {
	if t.op == Delete {
		return true
	}
	if m.o.max > 0 && len(m.waiting) >= m.o.max {
		return false
	}
	return t.op == Append || m.fitsBytes(t)
}

func (m *model) fitsBytes(t tender) bool {
	return m.o.maxBytes == 0 || len(m.waiting) == 0 || m.bytes()+m.size(t.key, t.value) <= m.o.maxBytes
}

// makeRoom evicts one entry, and more for their bytes.
func (m *model) makeRoom(t tender) bool {
	ok := m.evict(t.at)
	for ok && t.op != Append && !m.fitsBytes(t) {
		ok = m.evict(t.at)
	}
	return ok
}

// evict drops the entry that arrived first of those at the head of a line.
func (m *model) evict(now time.Time) bool {
	var heads []*plain
	for _, e := range m.waiting {
		if m.line(e.key)[0] == e && canDrop(e) {
			heads = append(heads, e)
		}
	}
	if len(heads) == 0 {
		return false
	}
	victim := slices.MinFunc(heads, byArrival)
	m.waiting = remove(m.waiting, victim)
	m.counts.Evicted++
	m.settle("evicted", victim.ids)
	m.drop(victim, now, Evicted)
	m.ack(victim)
	return true
}

func canDrop(e *plain) bool { return e.op != Delete && e.op != Replace && e.op != Append }

func (m *model) size(key string, v tracked) int64 {
	if m.o.sizeOf == nil {
		return 0
	}
	return m.o.sizeOf(key, v)
}

func (m *model) bytes() (sum int64) {
	for _, e := range m.waiting {
		sum += m.size(e.key, e.value)
	}
	return sum
}

// admitPending lets those in that have waited, as far as there is room, and
// returns how each of them ended.
func (m *model) admitPending() (errs []error) {
	for len(m.pending) > 0 && (m.closed || m.fits(m.pending[0])) {
		t := m.pending[0]
		t.turn = true
		m.pending = slices.Clone(m.pending[1:])
		errs = append(errs, m.put(t).err)
	}
	return errs
}

func (m *model) cancelPending(i int) {
	m.reject(m.pending[i])
	m.pending = slices.Delete(slices.Clone(m.pending), i, i+1)
}

// byPosition is the order of the taking.
func byPosition(a, b *plain) int {
	return cmp.Or(a.at.Add(-a.lead).Compare(b.at.Add(-b.lead)), cmp.Compare(a.seq, b.seq))
}

// byArrival is the order of age and eviction.
func byArrival(a, b *plain) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.seq, b.seq))
}

func remove(from []*plain, e *plain) []*plain {
	return slices.DeleteFunc(slices.Clone(from), func(x *plain) bool { return x == e })
}
