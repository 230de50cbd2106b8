package sim

import "testing"

func TestPullingNeverQueuesAtTheConsumer(t *testing.T) {
	c := Consumer{Pulling, 2, true, 0.7, 4}
	w := c.world(free{})
	w.changes, w.end, w.credit = sixfold(), 10, 2
	w.run()
	if len(w.station.queue) > 0 || len(w.done) < 500 {
		t.Errorf("%d queued, %d done", len(w.station.queue), len(w.done))
	}
}
