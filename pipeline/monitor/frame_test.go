package monitor

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/headrace/headrace/pipeline"
)

func newReading(f *fake) *reading { return &read([]Pipeline{f}, 0)[0] }

func TestNewFrame(t *testing.T) {
	f := newFrame(3, newReading(full()), pipeline.Stats{})
	if f.ID != 3 || f.Name != "quotes" || f.State != "running" || f.Time != 1700000000 {
		t.Errorf("id %d, name %q, state %q, time %v", f.ID, f.Name, f.State, f.Time)
	}
	if f.In != 500 || f.Out != 150 {
		t.Errorf("in %v, out %v, want 1000 and 300 in 2 s", f.In, f.Out)
	}
	if f.Conflation == nil || math.Abs(*f.Conflation-500.0/900) > 1e-9 {
		t.Errorf("conflation %v, want 5/9", f.Conflation)
	}
	if f.Waiting != 22 || f.InFlight != 3 || f.OldestAge != 1.5 || f.HeldFor != 0.25 || f.Workers != 16 {
		t.Errorf("waiting %d, in flight %d, oldest %v, held for %v, workers %d", f.Waiting, f.InFlight, f.OldestAge, f.HeldFor, f.Workers)
	}
	if *f.Pace != (pace{Interval: 0.001, Divisor: 14, Reads: 1, Rate: 71.5}) {
		t.Errorf("pace %+v", *f.Pace)
	}
	if *f.Governor != (governing{High: 0.02, Low: 0.01, Base: 10, Max: 200, AtMax: 19, Braked: true}) {
		t.Errorf("governor %+v", *f.Governor)
	}
	if *f.Limit != 12 {
		t.Errorf("limit %d, want 12", *f.Limit)
	}
	if want := (producer{Name: "a", Connected: 1, Rate: 300, Received: 600, Rejected: 45, Invalid: 5, Failures: 6}); f.Producers[0] != want {
		t.Errorf("producer %+v, want %+v", f.Producers[0], want)
	}
	if len(f.Hottest) != 1 || f.Hottest[0] != (hotKey{"ACME", 0.75}) {
		t.Errorf("hottest %v", f.Hottest)
	}
	if len(f.Quotas) != 3 || f.Quotas[0].Utilisation != 0.5 || f.Quotas[0].Throttled != 6 || f.Quotas[2].User != "(others)" {
		t.Errorf("quotas %+v", f.Quotas)
	}
}

// Rates are those since the frame before.
func TestFrameIsOfAnInterval(t *testing.T) {
	earlier, p := full().stats, full()
	p.stats.Time = earlier.Time.Add(time.Second)
	p.stats.Ledger.Puts += 70
	p.stats.Ledger.Done += 30
	p.stats.Producers[0].Received += 20
	f := newFrame(0, newReading(p), earlier)
	if f.In != 70 || f.Out != 30 || f.Producers[0].Rate != 20 {
		t.Errorf("in %v, out %v, producer %v, want 70, 30 and 20", f.In, f.Out, f.Producers[0].Rate)
	}
	if f.Producers[0].Received != 620 {
		t.Errorf("received %d, want all: 620", f.Producers[0].Received)
	}
	if f.Conflation != nil {
		t.Errorf("conflation %v, though nothing was accepted", *f.Conflation)
	}
}

func TestFrameLeavesOut(t *testing.T) {
	p := &fake{stats: pipeline.Stats{Name: "plain"}}
	f := newFrame(0, newReading(p), pipeline.Stats{})
	if f.Pace != nil || f.Governor != nil || f.Limit != nil || f.Quotas != nil || len(f.Latency) != 0 {
		t.Errorf("%+v, want no pace, governor, limit, quotas or latency", f)
	}
	if f.State != "not started" {
		t.Errorf("state %q, want not started", f.State)
	}
	p.stats.Elapsed = time.Second
	if f := newFrame(0, newReading(p), pipeline.Stats{}); f.State != "ended" {
		t.Errorf("state %q, want ended", f.State)
	}
}

// JSON has no infinities, which must not end the stream.
func TestFrameIsJSON(t *testing.T) {
	p := full()
	p.stats.Quotas.Entities[0].Utilisation = math.Inf(1)
	p.stats.Quotas.Entities[1].Utilisation = math.NaN()
	f := newFrame(0, newReading(p), pipeline.Stats{})
	if _, err := json.Marshal(f); err != nil {
		t.Error(err)
	}
}

func TestLedgerSaysWhatDoesNotHold(t *testing.T) {
	l := full().stats.Ledger
	if got := newLedger(l); !got.Balanced || got.Fault != "" {
		t.Errorf("%+v, want it balanced", got)
	}
	l.Merged++
	if got := newLedger(l); got.Balanced || got.Fault == "" {
		t.Errorf("%+v, want a fault", got)
	}
}

// The two sums that the page writes down are the ones that the cache checks.
func TestLedgerSums(t *testing.T) {
	l := newLedger(full().stats.Ledger)
	sum := func(posts []post) (n uint64) {
		for _, p := range posts {
			n += p.Count
		}
		return n
	}
	if sum(l.In) != l.Puts || sum(l.Out) != l.Inserted {
		t.Errorf("%d and %d, want %d puts and %d inserted", sum(l.In), sum(l.Out), l.Puts, l.Inserted)
	}
}
