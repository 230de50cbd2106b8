package main

import "testing"

func TestDecoderKnowsWhatItHad(t *testing.T) {
	w := new(worker)
	decode := w.decoder()
	for _, test := range []struct {
		version, delivered uint64
		mine               bool
	}{{5, 2, false}, {6, 1, false}, {4, 2, false}, {5, 3, true}, {6, 2, true}, {7, 1, false}} {
		q := quote{symbol: "A", version: test.version}
		got, err := decode(message{subject: q.subject(1), data: q.data(), count: test.delivered})
		if got.mine != test.mine || err != nil {
			t.Errorf("version %d, delivery %d: %+v, %v, want mine %v", test.version, test.delivered, got, err, test.mine)
		}
	}
	if w.received.Load() != 6 || w.redelivered.Load() != 4 {
		t.Errorf("received %d, redelivered %d", w.received.Load(), w.redelivered.Load())
	}
}
