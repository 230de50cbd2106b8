package flow

import "time"

// listed is the hand-written conflating queue.
type listed struct{ queue *conflating[uint64, snapshot] }

func (c listed) put(snapshots []snapshot, _ time.Time) {
	for i := range snapshots {
		c.queue.put(snapshots[i].Instrument, snapshots[i])
	}
}

func (c listed) close() { c.queue.close() }

func (c listed) take(into []snapshot) (n int, open bool) {
	n = c.queue.take(into)
	return n, n > 0
}

func (listed) done() {}
