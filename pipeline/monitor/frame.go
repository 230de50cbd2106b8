package monitor

import (
	"math"
	"time"

	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/pipeline"
)

// frame is what the page shows of one pipeline. Times and durations are in
// seconds. What does not exist or was not measured is null.
type frame struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Time    float64 `json:"time"`
	State   string  `json:"state"` // "not started", "running" or "ended"
	Elapsed float64 `json:"elapsed"`
	Skipped int     `json:"skipped"` // frames that this one replaced, since the tab was slow

	// Over the time since the frame before.
	In         float64            `json:"in"`
	Out        float64            `json:"out"`
	Conflation *float64           `json:"conflation"`
	Latency    map[string]latency `json:"latency"`

	Waiting   uint64  `json:"waiting"`
	Bytes     int64   `json:"bytes"`
	OldestAge float64 `json:"oldestAge"`
	InFlight  uint64  `json:"inFlight"`
	HeldFor   float64 `json:"heldFor"` // of the entry in flight for longest
	Workers   int     `json:"workers"`

	Producers []producer `json:"producers"`
	Pace      *pace      `json:"pace"`
	Governor  *governing `json:"governor"`
	Limit     *int       `json:"limit"`
	Decisions []decision `json:"decisions"` // the latest first
	Hottest   []hotKey   `json:"hottest"`
	Ledger    ledger     `json:"ledger"`
	Quotas    []budget   `json:"quotas"`
}

type producer struct {
	Name      string  `json:"name"`
	Connected int     `json:"connected"`
	Rate      float64 `json:"rate"`
	Received  uint64  `json:"received"`
	Rejected  uint64  `json:"rejected"`
	Invalid   uint64  `json:"invalid"`
	Failures  uint64  `json:"failures"`
}

type pace struct {
	Interval float64 `json:"interval"`
	Divisor  int     `json:"divisor"`
	Reads    int     `json:"reads"`
	Rate     float64 `json:"rate"`
}

type governing struct {
	High   float64 `json:"high"`
	Low    float64 `json:"low"`
	Base   int     `json:"base"`
	Max    int     `json:"max"`
	AtMax  float64 `json:"atMax"`
	Braked bool    `json:"braked"`
}

type decision struct {
	Time float64 `json:"time"`
	Text string  `json:"text"`
}

type hotKey struct {
	Key   string  `json:"key"`
	Share float64 `json:"share"`
}

type budget struct {
	User        string  `json:"user"`
	ClientID    string  `json:"clientId"`
	Quota       string  `json:"quota"`
	Utilisation float64 `json:"utilisation"`
	Throttled   float64 `json:"throttled"`
	Waiting     int     `json:"waiting"`
}

// shown is how many decisions and hot keys a frame holds.
const shown = 10

// newFrame makes the frame of a reading. The rates are since the earlier one,
// or since the start if that is zero.
func newFrame(id int, r *reading, earlier pipeline.Stats) frame {
	s, o := &r.stats, &r.seen
	lately := s.Since(earlier)
	f := frame{
		ID: id, Name: r.name, Time: unix(s.Time), State: state(r), Elapsed: s.Elapsed.Seconds(),
		In: lately.In(), Out: lately.Out(), Latency: latencies(&lately),
		Waiting: s.Ledger.Waiting, Bytes: s.Ledger.Bytes, OldestAge: s.OldestAge.Seconds(),
		InFlight: s.Ledger.Leased, HeldFor: s.OldestLease.Seconds(), Workers: o.Workers,
		Decisions: latest(o.Decisions, shown), Ledger: newLedger(s.Ledger),
	}
	if lately.Ledger.Inserted+lately.Ledger.Merged > 0 {
		f.Conflation = new(lately.Conflation())
	}
	for i, p := range lately.Producers {
		f.Producers = append(f.Producers, newProducer(&s.Producers[i], p.Received, lately.Elapsed))
	}
	if r.paced() {
		f.Pace = &pace{Interval: o.Interval.Seconds(), Divisor: s.Divisor, Reads: r.reads(), Rate: s.Rate}
	}
	if g := &s.Governor; r.governed() {
		f.Governor = &governing{
			High: o.High.Seconds(), Low: o.Low.Seconds(), Base: o.Base, Max: o.Max,
			AtMax: g.AtMax.Seconds(), Braked: g.Braked,
		}
	}
	if r.limited() {
		f.Limit = &s.Limit.Limit
	}
	for _, k := range o.Hottest {
		f.Hottest = append(f.Hottest, hotKey(k))
	}
	for i := range s.Quotas.Entities {
		f.Quotas = append(f.Quotas, newBudget(&s.Quotas.Entities[i]))
	}
	return f
}

func state(r *reading) string {
	switch {
	case r.seen.Running:
		return "running"
	case r.stats.Elapsed > 0:
		return "ended"
	default:
		return "not started"
	}
}

func newProducer(p *pipeline.ProducerStats, received uint64, in time.Duration) producer {
	made := producer{
		Name: p.Name, Connected: p.Connected, Received: p.Received,
		Rejected: p.Rejected, Invalid: p.Invalid, Failures: p.Failures,
	}
	if in > 0 {
		made.Rate = float64(received) / in.Seconds()
	}
	return made
}

func newBudget(u *quota.Usage) budget {
	b := budget{
		User: user(u), ClientID: u.ClientID, Quota: u.String(), Utilisation: u.Utilisation,
		Throttled: u.Delayed.Seconds(), Waiting: u.Waiting,
	}
	if math.IsInf(b.Utilisation, 0) || math.IsNaN(b.Utilisation) {
		b.Utilisation = 0 // JSON has no such numbers
	}
	return b
}

func unix(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
