package main

import "testing"

func TestSink(t *testing.T) {
	type write struct {
		epoch   int
		version uint64
		again   bool
	}
	for _, test := range []struct {
		name                     string
		writes                   []write
		written, repeated, stale int
	}{
		{"in order", []write{{1, 1, false}, {1, 2, false}, {2, 7, false}}, 3, 0, 0},
		{"again after a crash", []write{{1, 5, false}, {2, 4, true}, {2, 5, true}, {2, 6, false}}, 2, 2, 0},
		{"twice, since the answer was lost", []write{{1, 5, false}, {1, 5, false}}, 1, 1, 0},
		{"backwards", []write{{1, 5, false}, {1, 4, false}}, 1, 0, 1},
		{"backwards under a new owner", []write{{1, 5, false}, {2, 4, false}}, 1, 0, 1},
		{"backwards under one owner, of messages that came again", []write{{2, 5, true}, {2, 4, true}}, 1, 0, 1},
	} {
		s := newSink()
		for _, w := range test.writes {
			s.write(batch{Worker: "w1", Epoch: w.epoch, Received: 2, Redelivered: 1,
				Entries: []entry{{Symbol: "A", Version: w.version, Again: w.again}}})
		}
		if got := s.traffic()["w1"]; got.Written != test.written || got.Received != 2*len(test.writes) {
			t.Errorf("%s: %+v, want %d written", test.name, got, test.written)
		}
		if s.repeated != test.repeated || s.stale != test.stale || s.redelivered != len(test.writes) {
			t.Errorf("%s: repeated %d, stale %d, redelivered %d", test.name, s.repeated, s.stale, s.redelivered)
		}
	}
}

func TestSinkHas(t *testing.T) {
	s := newSink()
	s.write(batch{Entries: []entry{{Symbol: "A", Version: 2}}})
	s.write(batch{Entries: []entry{{Symbol: "A", Version: 1, Again: true, Mine: true}}})
	if s.stale != 0 || s.repeated != 1 {
		t.Errorf("stale %d, repeated %d, want an excuse for what this owner had before", s.stale, s.repeated)
	}
	s.write(batch{Entries: []entry{{Symbol: "A", Version: 1}}})
	if !s.has("A", 2) || s.has("A", 1) || s.has("A", 3) || s.has("B", 1) {
		t.Error("want version 2 of A only")
	}
}
