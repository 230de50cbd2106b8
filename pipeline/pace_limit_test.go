package pipeline

import (
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/metronome"
)

func TestPaceLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: metronome.Options{Interval: 10 * ms, Limit: 3}})
		p.Produce(Producer[item]{Source: script(forever, at(5*ms, five...))})
		p.Consume(d.reader(0))
		err := p.Run(t.Context())
		d.note("%v", err)
		d.check(t, "10ms a1", "20ms b1", "30ms c1", "30ms pipeline: entries left behind: 2 waiting, 0 in handlers")
		checkBalance(t, p)
	})
}

// The limit ends a run at its time, whether there is anything to read or not.
func TestPaceLimitWithoutInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		mustRun(t, Config[string, item]{Metronome: metronome.Options{Interval: 10 * ms, Limit: 3}}, script(forever), d.reader(0))
		d.note("end")
		d.check(t, "30ms end")
	})
}

// What a beat releases to a worker that is still busy at the limit is void.
func TestPaceLimitBusyWorker(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			p := mustNew(t, Config[string, item]{Metronome: metronome.Options{Interval: 10 * ms, Limit: 2}})
			p.Produce(Producer[item]{Source: script(forever, at(5*ms, five...))})
			p.Consume(d.reader(25 * ms))
			err := p.Run(t.Context())
			d.note("%v", err)
			d.check(t, "10ms a1", "35ms pipeline: entries left behind: 4 waiting, 0 in handlers")
		})
	}
}
