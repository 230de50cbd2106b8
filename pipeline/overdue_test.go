package pipeline

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// aged is a pipeline of which hardly a beat passes, and whose entries may wait
// 25 ms.
func aged() Config[string, item] {
	c := Config[string, item]{Metronome: every, Governor: dividing(50)}
	c.Cache.MaxAge = 25 * ms
	return c
}

// What is over its age goes with the next beat, whether that passes or not.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustRun(t, aged(), script(400*ms, at(5*ms, five[:2]...), at(16*ms, five[2]), at(18*ms, item{"a", 2})), d.reader(0))
		d.check(t, "40ms a2", "40ms b1", "50ms c1") // 25 ms old at 30 is not over it
		if s := p.Stats(); s.Overdue != 3 || s.Ledger.Done != 3 {
			t.Errorf("overdue %d, done %d", s.Overdue, s.Ledger.Done)
		}
	})
}

// Nothing steers the governor that has not been released by a beat.
func TestOverdueTeachesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := aged()
		c.Governor = governor.Options{High: 10 * ms, Base: 50, Window: 1, OnDecision: func(g governor.Decision) {
			if g.Samples > 0 {
				t.Errorf("decision %v", g.Reason)
			}
		}}
		p := mustRun(t, c, script(400*ms, at(5*ms, five...)), newDiary().reader(30*ms))
		if got := p.Stats().Overdue; got != 5 {
			t.Errorf("%d overdue, want 5", got)
		}
	})
}

// The workers and the leases count.
func TestOverdueWaitsForWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		mustRun(t, aged(), script(400*ms, at(5*ms, five[:3]...), at(41*ms, item{"a", 2})), d.reader(50*ms))
		d.check(t, "40ms a1", "90ms b1", "140ms c1", "190ms a2")
	})
}

func TestOverdueWaitsForLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := aged()
		c.Workers = 3
		mustRun(t, c, script(400*ms, at(5*ms, item{"a", 1}), at(41*ms, item{"a", 2})), d.reader(77*ms))
		d.check(t, "40ms a1", "120ms a2") // the key is free at 117
	})
}

// The limit counts too.
func TestOverdueWaitsForPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := aged()
		c.Workers, c.Limit = 4, governor.Fixed(1)
		mustRun(t, c, script(400*ms, at(5*ms, five[:3]...)), d.reader(20*ms))
		d.check(t, "40ms a1", "60ms b1", "80ms c1")
	})
}

// A head start does not help what is overdue, and overdue entries do not use up
// the credit of a beat.
func TestOverdueBesidePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, Governor: dividing(5)}
		c.Cache.MaxAge = 25 * ms
		c.Cache.HeadStart = func(key string, _ item) time.Duration {
			if key == "z" {
				return time.Hour
			}
			return 0
		}
		p := mustRun(t, c, script(400*ms, at(5*ms, item{"a", 1}), at(32*ms, item{"b", 1}), at(33*ms, item{"z", 1})), d.reader(0))
		d.check(t, "40ms a1", "50ms z1", "60ms b1")
		if got := p.Stats().Overdue; got != 2 {
			t.Errorf("%d overdue, want 2", got)
		}
	})
}

// Where entries are dropped for their age none is overdue.
func TestOverdueDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := aged()
		c.Cache.Expiry = cache.Drop
		c.Cache.OnDrop = func(e entry, r cache.Reason) { d.note("%v %v", e.Value, r) }
		p := mustRun(t, c, script(400*ms, at(5*ms, five[0]), at(490*ms)), d.reader(0))
		if s := p.Stats(); s.Overdue != 0 || s.Ledger.Expired != 1 || s.Ledger.Done != 0 {
			t.Errorf("overdue %d, ledger %+v", s.Overdue, s.Ledger)
		}
		d.note("end")
		d.check(t, "40ms a1 expired", "400ms end")
	})
}
