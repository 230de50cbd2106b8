package mbo

import "math/rand/v2"

// The shape of a real session of a future: a snapshot in one burst, then bursts
// of events near a price that wanders.
const (
	snapshot = 8000
	reach    = 800         // places of each side, in ticks
	tick     = 250_000_000 // of the price, in units of 1e-9
	burst    = 4e5         // mean nanoseconds between events of a burst
	pause    = 5e9         // mean nanoseconds between bursts
	inBurst  = 40          // events of a burst, in the mean
)

// Synthetic makes up n events. The same seed makes the same events.
func Synthetic(seed uint64, n int) []Event {
	m := market{Rand: rand.New(rand.NewPCG(seed, 0)), now: 1_700_000_000_000_000_000, mid: 20_000}
	events := make([]Event, 0, n)
	for len(events) < n {
		if len(events) >= snapshot {
			m.advance()
		}
		events = append(events, m.event(len(events) < snapshot))
	}
	return events
}

// market makes up events, and knows its orders so that they can be cancelled.
type market struct {
	*rand.Rand
	now   int64
	mid   int64 // in ticks
	next  uint64
	alive []Event // the last event of each order
}

func (m *market) advance() {
	mean := burst
	if m.IntN(inBurst) == 0 {
		mean = pause
		m.mid += m.Int64N(5) - 2
	}
	m.now += int64(mean * m.ExpFloat64())
}

func (m *market) event(opening bool) Event {
	switch p := m.IntN(100); {
	case opening || p < 43 || len(m.alive) == 0:
		return m.add(opening)
	case p < 57:
		return Event{m.now, Trade, Place{None, m.mid * tick}, 1, 0}
	default:
		return m.alter(p < 75)
	}
}

func (m *market) add(opening bool) Event {
	m.next++
	e := Event{m.now, Add, m.place(opening), 1 + m.Int64N(20), m.next}
	m.alive = append(m.alive, e)
	return e
}

// place is near the middle, where most happens, or anywhere for the snapshot.
func (m *market) place(anywhere bool) Place {
	away := 1 + min(int64(4*m.ExpFloat64()), reach-1)
	if anywhere {
		away = 1 + m.Int64N(reach)
	}
	if m.IntN(2) == 0 {
		return Place{Bid, (m.mid - away) * tick}
	}
	return Place{Ask, (m.mid + away) * tick}
}

// alter modifies one of the newest orders, or cancels it.
func (m *market) alter(modify bool) Event {
	i := len(m.alive) - 1 - m.IntN(min(len(m.alive), 200))
	e := &m.alive[i]
	e.Received = m.now
	if modify {
		e.Action, e.Place, e.Size = Modify, m.place(false), 1+m.Int64N(20)
		return *e
	}
	cancelled := *e
	cancelled.Action = Cancel
	m.alive[i] = m.alive[len(m.alive)-1]
	m.alive = m.alive[:len(m.alive)-1]
	return cancelled
}
