package monitor

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// fake is a pipeline that stands still.
type fake struct {
	stats pipeline.Stats
	seen  pipeline.Observation
}

func (f *fake) Stats() pipeline.Stats            { return f.stats }
func (f *fake) Observe(int) pipeline.Observation { return f.seen }

// full is a pipeline that has a governor, a limit and quotas, and in which no
// two numbers are alike.
func full() *fake {
	ms := time.Millisecond
	return &fake{
		stats: pipeline.Stats{
			Name: "quotes", Elapsed: 2 * time.Second, Time: time.Unix(1700000000, 0),
			Ledger: cache.Ledger{
				Puts: 1000, Inserted: 400, Merged: 500, Stale: 40, Annihilated: 10, Rejected: 50,
				Done: 300, Dead: 8, Evicted: 20, Expired: 30, Joined: 7, Waiting: 22, Leased: 3, Bytes: 2200,
			},
			OldestAge: 1500 * ms, OldestLease: 250 * ms,
			FailedAttempts: 15, Panics: 2, Overdue: 4,
			Producers: []pipeline.ProducerStats{
				{Name: "a", Connected: 1, Received: 600, Admitted: 550, Rejected: 45, Invalid: 5, Failures: 6, Restarts: 9},
				{Name: "b", Received: 450, Admitted: 400, Rejected: 50},
			},
			Limit:   governor.LimiterStats{Limit: 12, Held: 5, InFlight: 4, Succeeded: 280, Ignored: 11, Dropped: 13},
			Divisor: 14, Rate: 71.5,
			Governor: governor.Stats{Divisor: 14, Reads: 1, Stuck: 17, Braked: true, AtMax: 19 * time.Second, Braking: 21 * time.Second},
			Quotas: quota.Stats{Entities: []quota.Usage{
				{Key: quota.RequestTimePercent, User: "alice", Utilisation: 0.5, Total: int64(3 * time.Second), Delayed: 6 * time.Second, Waited: 5 * time.Second},
				{Key: quota.ProducerByteRate, User: "alice", ClientID: "desk", Utilisation: 0.25, Total: 7000},
				{Key: quota.ConsumerByteRate, Other: true, Total: 9000},
			}},
		},
		seen: pipeline.Observation{
			Running: true, Workers: 16, Reads: 1, Interval: ms,
			High: 20 * ms, Low: 10 * ms, Base: 10, Max: 200,
			Decided: map[governor.Reason]uint64{governor.Slower: 31, governor.AtBase: 32},
			Hottest: []pipeline.HotKey{{Key: "ACME", Share: 0.75}},
		},
	}
}

// ran returns a pipeline that has processed the given number of values, each
// for a millisecond of bubble time.
func ran(t testing.TB, config pipeline.Config[int, int], n int) *pipeline.Pipeline[int, int] {
	t.Helper()
	config.Key = func(v int) int { return v }
	p, err := pipeline.New(config)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int, n)
	for i := range values {
		values[i] = i
	}
	p.Produce(pipeline.Producer[int]{Name: "list", Source: pipeline.FromSeq(slices.Values(values))})
	p.Consume(func(context.Context, cache.Entry[int, int]) error {
		time.Sleep(time.Millisecond)
		return nil
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// pacedConfig has a metronome and a governor.
var pacedConfig = pipeline.Config[int, int]{
	Name:      "paced",
	Metronome: metronome.Options{Interval: time.Millisecond},
	Governor:  governor.Options{High: 20 * time.Millisecond},
}
