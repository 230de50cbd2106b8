package pipeline

import (
	"runtime"
	"testing"
	"testing/synctest"
)

// A handler that ends its goroutine has failed. Another worker takes the place
// of the one that is gone.
func TestHandlerExits(t *testing.T) {
	for _, workers := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			c := Config[string, item]{Workers: workers, Attempts: 3}
			p := mustRun(t, c, script(90*ms, at(0, five[0]), at(ms, five[1]), at(20*ms, five[2])), func(_ handling, e entry) error {
				d.note("%v", e.Value)
				if e.Key == "a" {
					runtime.Goexit()
				}
				return nil
			})
			d.check(t, "0s a1", "1ms b1", "10ms a1", "20ms c1", "30ms a1")
			s := p.Stats()
			if s.Ledger.Dead != 1 || s.Ledger.Done != 2 || s.FailedAttempts != 3 || s.Panics != 0 {
				t.Errorf("dead %d, done %d, failed %d, panics %d", s.Ledger.Dead, s.Ledger.Done, s.FailedAttempts, s.Panics)
			}
		})
	}
}

// So it is during a drain.
func TestHandlerExitsInDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		mustRun(t, Config[string, item]{Attempts: 2, Metronome: every}, script(ms, at(0, five[:2]...)), func(_ handling, e entry) error {
			d.note("%v", e.Value)
			if e.Key == "a" {
				runtime.Goexit()
			}
			return nil
		})
		d.note("end")
		d.check(t, "1ms a1", "1ms b1", "11ms a1", "11ms end")
	})
}
