package main

import (
	"io"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/pipeline"
)

func TestMonitor(t *testing.T) {
	start := time.Now()
	at := func(second int, waiting, done uint64) pipeline.Stats {
		elapsed := time.Duration(second) * time.Second
		return pipeline.Stats{
			Time: start.Add(elapsed), Elapsed: elapsed, Divisor: 12,
			Ledger: cache.Ledger{Puts: waiting + done, Inserted: waiting + done, Waiting: waiting, Done: done},
		}
	}
	m := newMonitor(options{base: 10, workers: 1}, phase{}, io.Discard)
	m.decided(governor.Decision{From: 30, To: 31})
	m.decided(governor.Decision{From: 31, To: 30})
	m.begin(at(0, 0, 0))
	m.second(at(1, 400, 500))
	m.second(at(2, 300, 600))
	m.second(at(3, 100, 1000))
	s := m.sumUp(at(4, 0, 1100))
	if s.DivisorBase != 10 || s.DivisorMax != 31 || s.DivisorEnd != 12 {
		t.Errorf("divisor %d, %d, %d, want 10, 31, 12", s.DivisorBase, s.DivisorMax, s.DivisorEnd)
	}
	if s.WaitBound != 4000 {
		t.Errorf("wait bound %v ms, want 400 waiting / 100 a second = 4000 ms", s.WaitBound)
	}
	if s.In != 1100 || s.Out != 1100 || s.Waiting != 0 || !s.Balanced {
		t.Errorf("got %+v, want 1100 in and out", s)
	}
	if s.SlowOut != 0 || s.SlowFree != 0 {
		t.Errorf("slow third %v and %v, want 0: it was not reached", s.SlowOut, s.SlowFree)
	}
}
