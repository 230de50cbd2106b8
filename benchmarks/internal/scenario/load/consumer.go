package load

import (
	"sync/atomic"
	"time"
)

// phase is the part of a measurement.
type phase = int32

const (
	warming   phase = iota
	measuring       // only here anything is recorded
	closing         // still at the pace, while the memory is read
	draining        // as fast as it goes
)

// consumer takes entries at a pace and records what they waited.
type consumer struct {
	pace    pace
	phase   atomic.Int32
	began   chan struct{} // closed when the first entry has been recorded
	waiting func() int    // entries that wait now

	delivered []uint64 // sequence number of the newest value of each key
	wait, age waits    // of the oldest and the newest value of an entry
	hot, cold mean     // wait of the hottest and the coldest keys
	entries   int
	merged    int
	most      int // entries that waited at once
	sampled   time.Time
	drain     drain
	ratio     waits // of the wait to the bound: 1 ms means 1
}

func newConsumer(rate float64, keys int) *consumer {
	return &consumer{
		pace:      pace{rate: rate},
		began:     make(chan struct{}),
		delivered: make([]uint64, keys),
		wait:      newWaits(),
		age:       newWaits(),
		ratio:     newWaits(),
	}
}

// process takes entries into account as of now, and takes its time.
func (c *consumer) process(now time.Time, entries []taken) {
	phase := c.phase.Load()
	record := phase == measuring
	c.drain.took(len(entries), now)
	if phase <= measuring && now.Sub(c.sampled) >= 5*tick {
		c.sampled = now
		c.most = max(c.most, c.waiting()+len(entries))
	}
	bound, known := c.drain.last(c.most)
	for i := range entries {
		q := &entries[i].quote
		c.delivered[q.key] = max(c.delivered[q.key], q.sequence)
		if record {
			c.record(now, &entries[i])
		}
		if record && known && bound > 0 {
			c.ratio.add(time.Duration(float64(now.Sub(entries[i].first)) / float64(bound) * float64(time.Millisecond)))
		}
	}
	if c.phase.Load() < draining {
		c.pace.took(len(entries))
	}
}

func (c *consumer) record(now time.Time, e *taken) {
	wait := now.Sub(e.first)
	c.wait.add(wait)
	c.age.add(now.Sub(e.quote.due))
	if c.entries == 0 {
		close(c.began)
	}
	c.entries++
	c.merged += e.merged
	switch n := len(c.delivered); {
	case e.quote.key <= n/100:
		c.hot.add(wait)
	case e.quote.key >= n/2:
		c.cold.add(wait)
	}
}

// mean is a mean of durations.
type mean struct {
	sum   time.Duration
	count int
}

func (m *mean) add(d time.Duration) {
	m.sum += d
	m.count++
}

// ratioTo returns the ratio of two means, the larger one to the smaller.
func (m mean) ratioTo(other mean) (ratio float64, ok bool) {
	if m.sum <= 0 || other.sum <= 0 {
		return 0, false
	}
	ratio = float64(m.sum) / float64(m.count) * float64(other.count) / float64(other.sum)
	return max(ratio, 1/ratio), true
}
