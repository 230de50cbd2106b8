package pipeline

import (
	"cmp"
	"time"

	"github.com/headrace/headrace/governor"
)

// Observation is what there is to see of a pipeline beside its Stats: how it
// is set up, why its governor did what it did, and which keys are hot.
type Observation struct {
	Running  bool          // Run was called and has not returned
	Workers  int           // goroutines of the consumer
	Reads    int           // entries that a passing beat releases in the normal state
	Interval time.Duration // of the metronome; 0 without one

	// High and Low are the governor's thresholds, Base and Max the bounds of
	// the divisor. All are 0 without a governor.
	High, Low time.Duration
	Base, Max int

	// Decisions are the last ones of the governor, oldest first, and Decided
	// counts all of them by reason. Both are nil without a governor.
	Decisions []governor.Decision
	Decided   map[governor.Reason]uint64

	// Hottest are the keys that get the most values, the hottest first.
	Hottest []HotKey
}

// HotKey is a key and its share of the values processed lately.
type HotKey struct {
	Key   string  // as fmt.Sprint has it
	Share float64 // 0 to 1; at most that, rather less
}

// Observe returns what there is to see now, with up to the given number of
// hottest keys. It may be called at any time. It costs some microseconds.
//
// The keys are counted from the first call that asks for any until nobody has
// asked for a minute. Meanwhile one processed entry in 16 costs some 200 ns.
func (p *Pipeline[K, V]) Observe(keys int) Observation {
	o := Observation{
		Running: p.meters.started.Load() != nil && p.meters.ended.Load() == nil,
		Workers: p.config.Workers, Reads: p.config.Reads, Interval: p.config.Metronome.Interval,
	}
	if p.governor != nil {
		c := p.config.Governor
		o.High, o.Low = c.High, cmp.Or(c.Low, c.High/2)
		o.Base = cmp.Or(c.Base, 10)
		o.Max = cmp.Or(c.Max, 20*o.Base)
		o.Decisions, o.Decided = p.governor.Decisions(), p.decided.counts()
	}
	if keys > 0 {
		o.Hottest = p.hottest.most(keys, time.Now())
	}
	return o
}
