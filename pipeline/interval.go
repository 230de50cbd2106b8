package pipeline

import "github.com/headrace/headrace/cache"

// Since returns what happened after an earlier snapshot of the same pipeline
// was taken: counts, histograms and Elapsed are differences, and all that is a
// state (waiting, leased, ages, divisor, rate, governor, limit, quotas) is as in
// s. Since the zero Stats is since the start.
func (s Stats) Since(earlier Stats) Stats {
	d := s
	if !earlier.Time.IsZero() {
		d.Elapsed = s.Time.Sub(earlier.Time)
	}
	d.Ledger = since(s.Ledger, earlier.Ledger)
	d.FailedAttempts -= earlier.FailedAttempts
	d.Panics -= earlier.Panics
	d.Overdue -= earlier.Overdue
	d.Limit.Succeeded -= earlier.Limit.Succeeded
	d.Limit.Ignored -= earlier.Limit.Ignored
	d.Limit.Dropped -= earlier.Limit.Dropped
	d.Admit = s.Admit.Since(earlier.Admit)
	d.Wait = s.Wait.Since(earlier.Wait)
	d.Service = s.Service.Since(earlier.Service)
	d.Age = s.Age.Since(earlier.Age)
	d.Oldest = s.Oldest.Since(earlier.Oldest)
	d.Producers = make([]ProducerStats, len(s.Producers))
	for i, p := range s.Producers {
		if i < len(earlier.Producers) {
			e := earlier.Producers[i]
			p.Received -= e.Received
			p.Admitted -= e.Admitted
			p.Rejected -= e.Rejected
			p.Invalid -= e.Invalid
			p.Failures -= e.Failures
			p.Restarts -= e.Restarts
		}
		d.Producers[i] = p
	}
	return d
}

func since(s, earlier cache.Ledger) cache.Ledger {
	s.Puts -= earlier.Puts
	s.Inserted -= earlier.Inserted
	s.Merged -= earlier.Merged
	s.Stale -= earlier.Stale
	s.Annihilated -= earlier.Annihilated
	s.Rejected -= earlier.Rejected
	s.Done -= earlier.Done
	s.Dead -= earlier.Dead
	s.Evicted -= earlier.Evicted
	s.Expired -= earlier.Expired
	s.Revoked -= earlier.Revoked
	s.Joined -= earlier.Joined
	return s
}
