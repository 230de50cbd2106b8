package pipeline

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// A paced drain goes on at the beats that pass, and ends with the last entry.
func TestDrainPaced(t *testing.T) {
	tests := []struct {
		name    string
		config  Config[string, item]
		service time.Duration
		want    []string
	}{
		{name: "each beat", want: []string{"10ms a1", "20ms b1", "30ms c1", "30ms end"}},
		{name: "every third", config: Config[string, item]{Governor: dividing(3)}, want: []string{"30ms a1", "60ms b1", "90ms c1", "90ms end"}},
		{name: "several reads", config: Config[string, item]{Reads: 2, Workers: 2}, want: []string{"10ms 2 reads", "20ms 2 reads"}}, // the last is the end
		{name: "slow consumer", service: 25 * ms, want: []string{"10ms a1", "35ms b1", "60ms c1", "85ms end"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				test.config.Metronome, test.config.DrainPaced = every, true
				mustRun(t, test.config, script(6*ms, at(5*ms, five[:3]...)), d.reader(test.service))
				d.note("end")
				if test.config.Reads > 1 {
					d.lines = tally(d.lines)
				}
				d.check(t, test.want...)
			})
		})
	}
}

// A paced drain of nothing ends at once, between two beats too.
func TestDrainPacedNothingLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, end := range []time.Duration{15 * ms, 75 * ms} { // the metronome beats, and sleeps
			d := newDiary()
			mustRun(t, Config[string, item]{Metronome: every, DrainPaced: true}, script(end, at(5*ms, five[0])), d.reader(2*ms))
			d.note("end")
			d.check(t, "10ms a1", fmt.Sprint(end, " end"))
		}
	})
}

// A retry in a paced drain waits for its back-off and then for its beat.
func TestDrainPacedRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, DrainPaced: true, Backoff: Backoff{First: 33 * ms}}
		mustRun(t, c, script(6*ms, at(5*ms, five[:2]...)), func(_ handling, e entry) error {
			d.note("%v", e.Value)
			if e.Attempts == 1 && e.Key == "a" {
				return errBoom
			}
			return nil
		})
		d.note("end")
		d.check(t, "10ms a1", "20ms b1", "50ms a1", "50ms end")
	})
}

// The deadline holds for a paced drain too.
func TestDrainPacedDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every, DrainPaced: true, DrainTimeout: 17 * ms})
		p.Produce(Producer[item]{Source: script(forever, at(5*ms, five...))})
		p.Consume(d.reader(0))
		err := p.Run(cancelAt(t, 6*ms))
		d.note("%v", err)
		d.check(t, "10ms a1", "20ms b1", "23ms pipeline: entries left behind: 3 waiting, 0 in handlers")
		checkBalance(t, p)
	})
}

// The limit of the metronome ends a paced drain: nothing more is read.
func TestDrainPacedLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: metronome.Options{Interval: 10 * ms, Limit: 2}, DrainPaced: true})
		p.Produce(Producer[item]{Source: script(6*ms, at(5*ms, five...))})
		p.Consume(d.reader(0))
		err := p.Run(t.Context())
		d.note("%v", err)
		d.check(t, "10ms a1", "20ms b1", "20ms pipeline: entries left behind: 3 waiting, 0 in handlers")
		checkBalance(t, p)
	})
}

// A paced drain that ends before the limit ends at once.
func TestDrainPacedBeforeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		mustRun(t, Config[string, item]{Metronome: metronome.Options{Interval: 10 * ms, Limit: 1000}, DrainPaced: true},
			script(6*ms, at(5*ms, five[:2]...)), d.reader(0))
		d.note("end")
		d.check(t, "10ms a1", "20ms b1", "20ms end")
	})
}

// A paced drain steers: what waits in it was released by beats.
func TestDrainPacedSteers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, DrainPaced: true, Governor: governor.Options{High: 15 * ms, Base: 1, Max: 3, Window: 1}}
		slower := 0
		c.Governor.OnDecision = func(g governor.Decision) {
			if g.Reason == governor.Slower {
				slower++
			}
		}
		mustRun(t, c, script(6*ms, at(5*ms, five...)), d.reader(25*ms))
		if slower == 0 {
			t.Error("never slower")
		}
	})
}

// An asynchronous consumer is drained at the beats, and waited for.
func TestDrainPacedAsync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every, DrainPaced: true})
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(6*ms, at(5*ms, item{"a", 100}, item{"b", 1}, item{"c", 1})))
		d.note("end")
		d.check(t, "10ms a100", "20ms b1", "30ms c1", "110ms end")
	})
}
