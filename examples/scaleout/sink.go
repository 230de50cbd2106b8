package main

import "sync"

// sink is a table with the newest quote of each symbol. It refuses an older one,
// as "update ... where version < new" does in a database.
type sink struct {
	mu      sync.Mutex
	rows    map[string]row
	workers map[string]*traffic

	stale       int // entries that are older than the row, without excuse
	repeated    int // entries that are not newer than the row, with excuse
	redelivered int
}

type row struct {
	version uint64
	price   int
	epoch   int // of the lease under which it was written
}

// traffic is what a worker has moved.
type traffic struct {
	Received int `json:"received"` // messages
	Written  int `json:"written"`  // entries that the sink took
}

func newSink() *sink {
	return &sink{rows: make(map[string]row), workers: make(map[string]*traffic)}
}

// write takes a batch. It cannot fail, and may be done twice.
func (s *sink) write(b batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.workers[b.Worker]
	if t == nil {
		t = new(traffic)
		s.workers[b.Worker] = t
	}
	t.Received += b.Received
	s.redelivered += b.Redelivered
	for _, e := range b.Entries {
		if s.put(e, b.Epoch) {
			t.Written++
		}
	}
	return nil
}

// put writes an entry, if it is newer than what is there. An older one has an
// excuse if its message was delivered before: to this owner, or to the one that
// has written the newer one. An equal one has the same excuse, or is a write whose
// answer was lost.
func (s *sink) put(e entry, epoch int) bool {
	r := s.rows[e.Symbol]
	switch {
	case e.Version > r.version:
		s.rows[e.Symbol] = row{e.Version, e.Price, epoch}
		return true
	case e.Version == r.version, e.Mine, e.Again && epoch != r.epoch:
		s.repeated++
	default:
		s.stale++
	}
	return false
}

// traffic returns what each worker has moved so far.
func (s *sink) traffic() map[string]traffic {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]traffic, len(s.workers))
	for name, t := range s.workers {
		all[name] = *t
	}
	return all
}

// has reports whether the newest version of a symbol is the one given.
func (s *sink) has(symbol string, version uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[symbol].version == version
}
