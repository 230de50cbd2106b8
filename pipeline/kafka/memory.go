package kafka

import "sync"

// memory has the records of revoked partitions that were yielded, since their
// values may still be in the cache or with a handler. All sessions of a Consume
// share it, and its mutex.
//
// A partition often comes back: to the same member when a group that is not
// cooperative rebalances, to another goroutine of the same producer, or to a
// source that was closed and is open again. It begins with what has been
// committed, so the records come again. Those that are remembered are not
// yielded again: a sum would count them twice. That ends when the pipeline is
// told that a receipt is revoked, since it then drops the value.
type memory struct {
	mu      sync.Mutex
	records map[name]map[int64]*record // by offset
}

func newMemory() *memory { return &memory{records: make(map[name]map[int64]*record)} }

// keep remembers a record. One that was not yielded, or is to be yielded
// again, is nowhere else.
func (m *memory) keep(r *record) {
	if r.delivery == 0 || r.refused {
		return
	}
	n := r.partition.name
	if m.records[n] == nil {
		m.records[n] = make(map[int64]*record)
	}
	m.records[n][r.offset] = r
}

// recall returns the record if it is remembered, and forgets it. An offset of
// another epoch may be another record.
func (m *memory) recall(n name, offset int64, epoch int32) *record {
	r := m.records[n][offset]
	if r == nil {
		return nil
	}
	m.forget(r)
	if r.epoch != epoch {
		return nil
	}
	return r
}

func (m *memory) forget(r *record) {
	all := m.records[r.partition.name]
	if all[r.offset] != r {
		return // it is another delivery that is remembered
	}
	delete(all, r.offset)
	if len(all) == 0 {
		delete(m.records, r.partition.name)
	}
}

// forgetBelow forgets what another member has done.
func (m *memory) forgetBelow(n name, offset int64) {
	for o, r := range m.records[n] {
		if o < offset {
			m.forget(r)
		}
	}
}
