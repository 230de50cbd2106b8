package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
)

// Stats is a snapshot of a pipeline. Counts are since its start; Since gives
// those of an interval.
type Stats struct {
	Name    string
	Time    time.Time     // of the snapshot
	Elapsed time.Duration // of Run so far, or since the earlier snapshot

	// Ledger is consistent in itself: it balances at every instant.
	Ledger    cache.Ledger
	OldestAge time.Duration // of the entry that waits longest
	Producers []ProducerStats

	FailedAttempts uint64 // to process an entry, panics included
	Panics         uint64 // of these attempts; each entry of a batch counts

	Overdue     uint64        // entries that were read for their age, whatever the pace
	OldestLease time.Duration // of the entry that is longest in the hands of the consumer

	Limit  governor.LimiterStats // zero without a limit
	Quotas quota.Stats           // zero without quotas

	Divisor  int     // beats a pass; 0 without a metronome
	Rate     float64 // reads a second that the pace allows; 0 without a metronome
	Governor governor.Stats

	// Admit is the time from arrival until the value is in the cache (one
	// value in 16 is measured). The others are measured for each entry that
	// is done. Wait: in the cache until leased. Service: lease to done. Age:
	// arrival of the newest merged value to done. Oldest: arrival of the
	// first merged value to done.
	Admit, Wait, Service, Age, Oldest Histogram
}

// ProducerStats counts the values of one producer:
// Received = Admitted + Rejected + Invalid + the value in hand.
type ProducerStats struct {
	Name      string
	Connected int // sources that are open now: 0 while an intermittent one is closed

	Received uint64 // values that came out of the source and its chain
	Admitted uint64 // in the cache: inserted, merged, or stale
	Rejected uint64 // refused: no room, the pipeline stopped, or the chain that was to be fed failed
	Invalid  uint64 // passed over: see ErrInvalid
	Failures uint64 // of its sources
	Restarts uint64 // of its sources, after failures
}

// Stats returns a snapshot. It may be called at any time. It costs some 10 us
// and copies about 50 kB.
func (p *Pipeline[K, V]) Stats() Stats {
	s := Stats{
		Name: p.config.Name, Time: time.Now(),
		Ledger: p.cache.Ledger(), OldestAge: p.cache.OldestAge(),
		FailedAttempts: p.meters.failed.Load(), Panics: p.meters.panicked.Load(),
		Overdue: p.meters.overdue.Load(), OldestLease: p.cache.OldestLease(),
		Admit: p.meters.admit.snapshot(), Wait: p.meters.wait.snapshot(),
		Service: p.meters.service.snapshot(), Age: p.meters.age.snapshot(), Oldest: p.meters.oldest.snapshot(),
	}
	s.Elapsed = p.meters.elapsed(s.Time)
	for _, r := range p.producers {
		s.Producers = append(s.Producers, r.stats())
	}
	if p.config.Quotas != nil {
		s.Quotas = p.config.Quotas.Stats(s.Time)
	}
	if p.limiter != nil {
		s.Limit = p.limiter.Stats()
	}
	if p.gate != nil {
		s.Divisor = 1
		if p.governor != nil {
			s.Governor = p.governor.Stats(s.Time)
			s.Divisor = s.Governor.Divisor
		}
		reads := p.config.Reads
		if p.governor != nil {
			reads = s.Governor.Reads
		}
		s.Rate = float64(min(reads, p.gate.size())) / (p.config.Metronome.Interval.Seconds() * float64(s.Divisor))
	}
	return s
}

func (p *producer[V]) stats() ProducerStats {
	return ProducerStats{
		Name:     p.Name,
		Received: p.received.Load(), Admitted: p.admitted.Load(),
		Rejected: p.rejected.Load(), Invalid: p.invalid.Load(),
		Failures: p.failures.Load(), Restarts: p.restarts.Load(), Connected: int(p.connected.Load()),
	}
}

// In returns the values put per second.
func (s Stats) In() float64 { return perSecond(s.Ledger.Puts, s.Elapsed) }

// Out returns the entries processed per second.
func (s Stats) Out() float64 { return perSecond(s.Ledger.Done, s.Elapsed) }

// Conflation returns the share of the accepted values that were merged into
// others: 0 when each came through alone, 0.9 when one in ten did.
func (s Stats) Conflation() float64 {
	accepted := s.Ledger.Inserted + s.Ledger.Merged
	if accepted == 0 {
		return 0
	}
	return float64(s.Ledger.Merged) / float64(accepted)
}

func perSecond(n uint64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
