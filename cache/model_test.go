package cache

import (
	"fmt"
	"slices"
	"time"
)

// model is the cache as its documentation tells it: a list of entries that is
// searched from end to end. It follows every value by an id of its own and
// knows at any time where it is.
type model struct {
	o rules

	waiting []*plain // those of one key in the order of its line
	leased  []*plain
	pending []tender       // puts that wait for room, in order
	settled map[int]string // what became of the values that are in no entry
	counts  Ledger         // but Waiting, Leased and Bytes
	drops   []string
	acks    []int // values whose receipt was acknowledged
	nacks   []int
	seq     int
	leases  int
	closed  bool
}

// rules are the options of the cache, with functions that never panic.
type rules struct {
	merge      func(waiting, arriving tracked) tracked
	newer      func(waiting, arriving tracked) bool // nil: order of arrival
	replaces   bool
	headStart  func(key string, v tracked) time.Duration
	annihilate bool
	max        int
	maxBytes   int64
	sizeOf     func(key string, v tracked) int64
	overflow   Overflow
	maxAge     time.Duration
	expiry     Expiry
}

// tracked is a value that tells which values it was made of.
type tracked struct {
	ids  []int
	rank int // for Newer, HeadStart and SizeOf
}

// plain is an entry. Its ids are all values that went in, those included that
// a merge kept nothing of.
type plain struct {
	key              string
	value            tracked
	op               Op
	ids              []int
	receipts         []int // the ids of values that are to be acknowledged
	at, newest       time.Time
	lead             time.Duration
	seq              int
	first, last      uint64
	merged, attempts int
	taken, due       time.Time // due is the end of the back-off
	lease            int
}

// tender is a value that is handed to the cache.
type tender struct {
	key      string
	value    tracked
	op       Op
	at       time.Time
	sequence uint64
	receipt  bool
	canWait  bool
	turn     bool // it has waited for room, which is there now
}

// outcome of a put.
type outcome struct {
	err     error
	pending bool
}

// line returns the waiting entries of a key.
func (m *model) line(key string) (line []*plain) {
	for _, e := range m.waiting {
		if e.key == key {
			line = append(line, e)
		}
	}
	return line
}

// holder returns the leased entry of a key, or nil.
func (m *model) holder(key string) *plain {
	for _, e := range m.leased {
		if e.key == key {
			return e
		}
	}
	return nil
}

// put hands a value in. Its time is the one that drops are reported with.
func (m *model) put(t tender) outcome {
	line := m.line(t.key)
	switch {
	case m.closed:
		m.reject(t)
		return outcome{err: ErrClosed}
	case m.stale(line, t):
		m.counts.Puts++
		m.counts.Stale++
		m.settle("stale", t.value.ids)
		m.drop(t.entry(), t.at, Stale)
		m.ack(t.entry())
	case len(line) > 0 && t.op != Append && line[len(line)-1].op != Append:
		m.counts.Puts++
		m.mergeInto(line[len(line)-1], t)
	default:
		return m.enter(t)
	}
	return outcome{}
}

// stale asks the newest value of the key that was not appended.
func (m *model) stale(line []*plain, t tender) bool {
	if m.o.newer == nil || !m.o.replaces || t.op == Append {
		return false
	}
	var all []*plain
	if held := m.holder(t.key); held != nil {
		all = append(all, held)
	}
	all = append(all, line...)
	all = slices.DeleteFunc(all, func(e *plain) bool { return e.op == Append })
	return len(all) > 0 && !m.o.newer(all[len(all)-1].value, t.value)
}

func (m *model) mergeInto(e *plain, t tender) {
	late := m.late(e.value, t.value)
	if m.o.annihilate && e.op == Insert && e.attempts == 0 && t.op == Delete && !late {
		m.waiting = remove(m.waiting, e)
		m.counts.Annihilated++
		m.settle("annihilated", e.ids)
		m.settle("annihilated", t.value.ids)
		m.drop(e, t.at, Annihilated)
		m.drop(t.entry(), t.at, Annihilated)
		m.ack(e)
		m.ack(t.entry())
		return
	}
	m.counts.Merged++
	m.combine(e, t.entry())
	e.ids = append(e.ids, t.value.ids...)
	e.merged++
	e.cover(t.at, t.sequence, t.sequence)
	if m.o.overflow == EvictOldest && m.o.maxBytes > 0 {
		for m.bytes() > m.o.maxBytes && len(m.waiting) > 1 && m.evict(t.at) {
		}
	}
}

// late reports whether the arriving value belongs in front of the waiting one.
func (m *model) late(waiting, arriving tracked) bool {
	return m.o.newer != nil && !m.o.replaces && !m.o.newer(waiting, arriving)
}

// combination is the table of operations: by the older and the newer one. What
// it does not name is a merge and keeps the older operation.
var combination = map[[2]Op]Op{
	{Upsert, Delete}: Delete, {Insert, Delete}: Delete, {Replace, Delete}: Delete, {Delete, Delete}: Delete,
	{Delete, Upsert}: Replace, {Delete, Insert}: Replace,
	{Upsert, Replace}: Replace, {Insert, Replace}: Replace, {Replace, Replace}: Replace, {Delete, Replace}: Replace,
}

// combine puts the value, the operation and the receipts of two entries into
// the first. Where nothing is left of the older value its receipts are settled.
func (m *model) combine(into, other *plain) {
	older, newer := into, other
	if m.late(into.value, other.value) {
		older, newer = other, into
	}
	receipts := slices.Concat(into.receipts, other.receipts)
	op, replaced := combination[[2]Op{older.op, newer.op}]
	if replaced || m.o.replaces {
		m.ack(older)
		receipts = newer.receipts
	}
	value := newer.value
	if !replaced {
		value, op = m.o.merge(older.value, newer.value), older.op
	}
	into.value, into.op, into.receipts = value, op, receipts
}

// ack notes that the receipts of an entry must be acknowledged.
func (m *model) ack(e *plain) { m.acks = append(m.acks, e.receipts...) }

// entry makes an entry of a value that comes alone.
func (t tender) entry() *plain {
	e := &plain{
		key: t.key, value: t.value, op: t.op, ids: slices.Clone(t.value.ids),
		at: t.at, newest: t.at, first: t.sequence, last: t.sequence,
	}
	if t.receipt {
		e.receipts = slices.Clone(t.value.ids)
	}
	return e
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

func (m *model) reject(t tender) {
	m.counts.Puts++
	m.counts.Rejected++
	m.settle("rejected", t.value.ids)
}

func (m *model) settle(fate string, ids []int) {
	for _, id := range ids {
		if old, ok := m.settled[id]; ok {
			panic(fmt.Sprintf("value %d was %s and is now %s", id, old, fate))
		}
		m.settled[id] = fate
	}
}

// drop notes what OnDrop must be told.
func (m *model) drop(e *plain, taken time.Time, r Reason) {
	m.drops = append(m.drops, e.show(taken)+r.String())
}
