package pipeline

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// Counts are those of the interval, states those of its end.
func TestSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Attempts: 1, Workers: 2})
		p.Produce(Producer[item]{Name: "feed", Source: script(time.Second,
			at(0, item{"a", 1}, item{"fails", 1}, item{"panics", 1}),
			at(100*ms, item{"b", 1}, item{"fails", 2}),
			[]step{{at: 150 * ms, err: ErrInvalid}},
			at(600*ms, item{"c", 300}, item{"d", 300}, item{"e", 1}, item{"e", 2}))})
		p.Consume(func(_ handling, e entry) error {
			time.Sleep(time.Duration(e.Value.n) * ms)
			switch e.Key {
			case "fails":
				return errBoom
			case "panics":
				panic("poison")
			}
			return nil
		})
		snapshots := make(chan Stats, 3)
		for _, after := range []time.Duration{50 * ms, 550 * ms, 650 * ms} {
			time.AfterFunc(after, func() { snapshots <- p.Stats() })
		}
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		one, two, three := <-snapshots, <-snapshots, <-snapshots

		s := two.Since(one)
		if s.Elapsed != 500*ms || !s.Time.Equal(two.Time) || s.In() != 4 || s.Out() != 2 {
			t.Errorf("elapsed %v, in %v, out %v", s.Elapsed, s.In(), s.Out())
		}
		if want := (cache.Ledger{Puts: 2, Inserted: 2, Done: 1, Dead: 1}); s.Ledger != want {
			t.Errorf("ledger %+v, want %+v", s.Ledger, want)
		}
		if want := (ProducerStats{Name: "feed", Connected: 1, Received: 3, Admitted: 2, Invalid: 1}); s.Producers[0] != want {
			t.Errorf("producer %+v, want %+v", s.Producers[0], want)
		}
		if s.FailedAttempts != 1 || s.Panics != 0 || one.FailedAttempts != 2 || one.Panics != 1 {
			t.Errorf("failed %d, panics %d, and before that %d and %d", s.FailedAttempts, s.Panics, one.FailedAttempts, one.Panics)
		}
		if s.Service.Count != 1 || s.Service.Sum != ms || s.Wait.Count != 1 || s.Age.Count != 1 || s.Oldest.Count != 1 || s.Admit.Count != 0 {
			t.Errorf("service %+v", s.Service)
		}

		s = three.Since(two)
		if want := (cache.Ledger{Puts: 4, Inserted: 3, Merged: 1, Waiting: 1, Leased: 2}); s.Ledger != want {
			t.Errorf("ledger %+v, want %+v", s.Ledger, want)
		}
		if s.OldestAge != 50*ms || s.Conflation() != 0.25 {
			t.Errorf("oldest age %v, conflation %v", s.OldestAge, s.Conflation())
		}
		if one.Producers[0].Received != 3 {
			t.Error("Since changed the earlier snapshot")
		}
	})
}

// Every count of the ledger is a difference, and every state is not.
func TestSinceLedger(t *testing.T) {
	s := cache.Ledger{Puts: 101, Inserted: 102, Merged: 103, Stale: 104, Rejected: 105, Done: 106, Dead: 107, Evicted: 108, Joined: 109, Waiting: 110, Leased: 111, Annihilated: 112, Expired: 113, Bytes: 114}
	earlier := cache.Ledger{Puts: 10, Inserted: 20, Merged: 30, Stale: 40, Rejected: 50, Done: 60, Dead: 70, Evicted: 80, Joined: 90, Waiting: 100, Leased: 5, Annihilated: 2, Expired: 3, Bytes: 4}
	want := cache.Ledger{Puts: 91, Inserted: 82, Merged: 73, Stale: 64, Rejected: 55, Done: 46, Dead: 37, Evicted: 28, Joined: 19, Waiting: 110, Leased: 111, Annihilated: 110, Expired: 110, Bytes: 114}
	if got := since(s, earlier); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSinceProducer(t *testing.T) {
	s := Stats{Producers: []ProducerStats{{"feed", 1, 10, 20, 30, 40, 50, 60}}}
	earlier := Stats{Producers: []ProducerStats{{"feed", 0, 1, 2, 3, 4, 5, 6}}}
	if got, want := s.Since(earlier).Producers[0], (ProducerStats{"feed", 1, 9, 18, 27, 36, 45, 54}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A snapshot without the producers of the other one can be subtracted too.
func TestSinceZero(t *testing.T) {
	p := mustNew(t, Config[string, item]{})
	p.Produce(Producer[item]{Name: "feed"})
	s := p.Stats()
	if d := s.Since(Stats{}); d.Producers[0] != s.Producers[0] || d.Wait.Count != 0 {
		t.Errorf("got %+v", d)
	}
}

// What ended at the limiter is a difference, and what is so now is not.
func TestSinceLimit(t *testing.T) {
	s := Stats{Overdue: 9, OldestLease: 3, Limit: governor.LimiterStats{Limit: 8, Held: 7, Succeeded: 60, Ignored: 50, Dropped: 40}}
	earlier := Stats{Overdue: 4, OldestLease: 1, Limit: governor.LimiterStats{Limit: 1, Held: 2, Succeeded: 3, Ignored: 4, Dropped: 5}}
	d := s.Since(earlier)
	if want := (governor.LimiterStats{Limit: 8, Held: 7, Succeeded: 57, Ignored: 46, Dropped: 35}); d.Limit != want || d.Overdue != 5 || d.OldestLease != 3 {
		t.Errorf("limit %+v, overdue %d, oldest lease %d", d.Limit, d.Overdue, d.OldestLease)
	}
}
