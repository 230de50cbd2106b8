package main

import (
	"bytes"
	"io"
	"strconv"
	"strings"
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
			Time: start.Add(elapsed), Elapsed: elapsed, Divisor: 10 + second/4, Overdue: done / 100,
			Limit:  governor.LimiterStats{Limit: 30 + second, InFlight: 20 + second},
			Ledger: cache.Ledger{Puts: waiting + done, Inserted: waiting + done, Waiting: waiting, Done: done},
		}
	}
	c := newConsumer(options{}, phase{})
	m := newMonitor(options{workers: 1, priority: true}, phase{}, c, io.Discard)
	m.decided(governor.Decision{From: 30, To: 31})
	m.decided(governor.Decision{From: 31, To: 30})
	m.begin(at(0, 0, 0))
	c.waits.add("TOP0001", 20*time.Millisecond)
	c.waits.add("SYM0002", 90*time.Millisecond)
	m.second(at(1, 400, 500))
	c.waits.add("TOP0001", 30*time.Millisecond)
	c.waits.add("SYM0002", 80*time.Millisecond)
	m.second(at(2, 300, 600))
	m.slowBegins, m.slowEnds = at(1, 400, 500), at(2, 300, 600)
	m.second(at(3, 100, 1000))
	m.closed = at(3, 100, 1000)
	c.note(Update{Symbol: "A", Trade: 1})
	s := m.sumUp(at(4, 0, 1100))
	if s.DivisorBase != 10 || s.DivisorMax != 31 || s.DivisorEnd != 11 {
		t.Errorf("divisor %d, %d, %d, want 10, 31, 11", s.DivisorBase, s.DivisorMax, s.DivisorEnd)
	}
	if s.Limit != 33 || s.InFlight != 23 {
		t.Errorf("limit %d and %d in flight, want those of the closing, 33 and 23", s.Limit, s.InFlight)
	}
	if s.HighValueWaitP99 != 30 || s.OthersWaitP99 != 90 {
		t.Errorf("wait p99 %v and %v ms, want the longest, 30 and 90", s.HighValueWaitP99, s.OthersWaitP99)
	}
	if s.Overdue != 11 || s.TradesOK != 1 {
		t.Errorf("%d overdue and %d trades, want 11 and 1", s.Overdue, s.TradesOK)
	}
	if s.SlowOut != 100 || s.LastOut != 400 {
		t.Errorf("%v and %v reads/s in the slow and the last third, want 100 and 400", s.SlowOut, s.LastOut)
	}
	if s.WaitBound != 4000 {
		t.Errorf("wait bound %v ms, want 400 waiting / 100 a second = 4000 ms", s.WaitBound)
	}
	if s.In != 1100 || s.Out != 1100 || s.Waiting != 0 || !s.Balanced {
		t.Errorf("got %+v, want 1100 in and out", s)
	}
}

func TestMonitorBeforeTheSlowThird(t *testing.T) {
	m := newMonitor(options{workers: 1}, phase{}, newConsumer(options{}, phase{}), io.Discard)
	m.begin(pipeline.Stats{})
	if s := m.sumUp(pipeline.Stats{}); s.SlowOut != 0 || s.SlowFree != 0 || s.LastOut != 0 || s.WaitBound != 0 {
		t.Errorf("got %+v, want 0: it was not reached", s)
	}
}

func TestMonitorTellsTradesOfTheSecond(t *testing.T) {
	var out bytes.Buffer
	c := newConsumer(options{}, phase{})
	m := newMonitor(options{trades: true}, phase{}, c, &out)
	m.begin(pipeline.Stats{})
	for trades := range 3 {
		for range trades {
			c.note(Update{Symbol: "A", Trade: 1})
		}
		m.second(pipeline.Stats{})
		if fields := strings.Fields(out.String()); fields[len(fields)-1] != strconv.Itoa(trades) {
			t.Errorf("%d trades in second %d:\n%s", trades, trades, &out)
		}
	}
}
