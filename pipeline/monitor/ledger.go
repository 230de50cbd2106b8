package monitor

import "github.com/headrace/headrace/cache"

// ledger is the cache's as the two sums that it must come to.
type ledger struct {
	Balanced bool   `json:"balanced"`
	Fault    string `json:"fault"` // which sum does not hold
	Puts     uint64 `json:"puts"`
	Inserted uint64 `json:"inserted"`
	In       []post `json:"in"`  // what the puts are the sum of
	Out      []post `json:"out"` // what the inserted are the sum of
}

type post struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

func newLedger(l cache.Ledger) ledger {
	made := ledger{
		Balanced: true,
		Puts:     l.Puts, Inserted: l.Inserted,
		In: []post{
			{"inserted", l.Inserted}, {"merged", l.Merged}, {"stale", l.Stale},
			{"annihilated", l.Annihilated}, {"rejected", l.Rejected},
		},
		Out: []post{
			{"done", l.Done}, {"dead", l.Dead}, {"evicted", l.Evicted}, {"expired", l.Expired},
			{"annihilated", l.Annihilated}, {"revoked", l.Revoked}, {"joined", l.Joined}, {"waiting", l.Waiting}, {"leased", l.Leased},
		},
	}
	if err := l.Check(); err != nil {
		made.Balanced, made.Fault = false, err.Error()
	}
	return made
}
