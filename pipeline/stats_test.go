package pipeline

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestStatsBeforeRun(t *testing.T) {
	s := mustNew(t, Config[string, item]{Name: "quotes"}).Stats()
	if s.Name != "quotes" || s.Elapsed != 0 || s.Time.IsZero() || s.In() != 0 || s.Out() != 0 || s.Conflation() != 0 || s.Divisor != 0 || s.Rate != 0 {
		t.Errorf("got %+v", s)
	}
}

func TestStatsOfRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var during Stats
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Source: script(2*time.Second,
			at(0, item{"a", 1}), at(100*ms, item{"b", 1}), at(200*ms, item{"b", 2}, item{"b", 3}))})
		p.Consume(func(_ handling, e entry) error {
			if e.Key == "a" {
				time.Sleep(500 * ms)
				during = p.Stats()
			}
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := p.Stats()
		if s.Elapsed != 2*time.Second || s.In() != 2 || s.Out() != 1 || s.Conflation() != 0.5 {
			t.Errorf("elapsed %v, in %v, out %v, conflation %v", s.Elapsed, s.In(), s.Out(), s.Conflation())
		}
		if during.Elapsed != 500*ms || during.OldestLease != 500*ms || during.OldestAge != 400*ms || during.Ledger.Waiting != 1 || during.Ledger.Leased != 1 || during.In() != 8 {
			t.Errorf("during the run: %+v", during)
		}
		if s.OldestLease != 0 {
			t.Errorf("a lease of %v after the run", s.OldestLease)
		}
		if s.Wait.Max != 400*ms || s.Service.Max != 500*ms || s.Age.Max != 500*ms || s.Oldest.Max != 500*ms || s.Oldest.Count != 2 {
			t.Errorf("wait %v, service %v, age %v, oldest %v", s.Wait.Max, s.Service.Max, s.Age.Max, s.Oldest.Max)
		}
	})
}

func TestStatsPace(t *testing.T) {
	tests := []struct {
		name    string
		config  Config[string, item]
		divisor int
		rate    float64
	}{
		{"metronome", Config[string, item]{}, 1, 100},
		{"governor", Config[string, item]{Governor: dividing(5)}, 5, 20},
		{"reads", Config[string, item]{Governor: dividing(5), Reads: 3, Workers: 4}, 5, 60},
		{"more reads than workers", Config[string, item]{Governor: dividing(5), Reads: 10, Workers: 4}, 5, 80},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.config.Metronome = every
			s := mustNew(t, test.config).Stats()
			if s.Divisor != test.divisor || s.Rate != test.rate {
				t.Errorf("divisor %d, rate %v, want %d and %v", s.Divisor, s.Rate, test.divisor, test.rate)
			}
		})
	}
}
