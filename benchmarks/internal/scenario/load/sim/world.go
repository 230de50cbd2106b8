package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/headrace/headrace/governor"
)

const (
	seed    = 1
	plenty  = 1000 // entries that wait, as a governor is told
	forever = math.MaxFloat64
)

// world is a metronome, a pacer and a consumer. Times are seconds from 0.
type world struct {
	beat    float64 // from one to the next
	pulling bool
	draw    func(*rand.Rand) float64 // the work of an entry
	changes []change
	end     float64
	lose    float64 // the first entry handed out from then on is lost; 0 is none
	pacer   pacer
	station station
	onBeat  func(now float64)

	now      float64
	random   *rand.Rand
	credit   int
	released []release // credit that has found no free worker yet
	handed   []float64 // when entries were handed out
	done     []done
}

// change is the consumer's speed from a time on.
type change struct{ at, speed float64 }

type release struct {
	at     float64
	queued bool
}

type done struct{ at, latency float64 }

func clock(seconds float64) time.Time {
	return time.Unix(0, 0).Add(time.Duration(math.Round(seconds * 1e9)))
}

// run simulates until end. The random numbers begin anew with each change of
// speed, so that what was handed out before does not matter.
func (w *world) run() {
	w.station.speed = 1
	w.random = rand.New(rand.NewPCG(seed, 0))
	for beats := 1; ; {
		untilDone, index := w.station.next()
		doneAt, beatAt, changeAt := w.now+untilDone, float64(beats)*w.beat, forever
		if len(w.changes) > 0 {
			changeAt = w.changes[0].at
		}
		next := min(doneAt, beatAt, changeAt)
		if next >= w.end {
			return
		}
		w.station.elapse(next - w.now)
		w.now = next
		switch next {
		case doneAt:
			w.finish(index)
		case changeAt:
			w.change()
		default:
			beats++
			w.pass(w.pacer.Beat(clock(w.now), 1, plenty))
			if w.onBeat != nil {
				w.onBeat(w.now)
			}
		}
		w.hand()
	}
}

func (w *world) change() {
	w.station.speed, w.changes = w.changes[0].speed, w.changes[1:]
	w.random = rand.New(rand.NewPCG(seed, 1+uint64(len(w.changes))))
}

// pass replaces what is left of the credit, as a pass of a pipeline does.
func (w *world) pass(reads int) {
	if reads > 0 {
		w.credit = reads
	}
	if w.pulling {
		w.credit = min(w.credit, w.station.servers)
	}
}

// hand releases as many entries as there is credit, and starts those that the
// consumer takes.
func (w *world) hand() {
	for len(w.released) < w.credit {
		queued := w.station.open()+len(w.released) >= w.station.servers
		w.released = append(w.released, release{w.now, queued})
	}
	for len(w.released) > 0 && !(w.pulling && w.station.open() >= w.station.servers) {
		r := w.released[0]
		w.released = w.released[1:]
		w.credit--
		w.start(r)
	}
}

func (w *world) start(r release) {
	j := &job{work: w.draw(w.random), released: r.at}
	j.token = w.pacer.Start(clock(w.now), governor.Release{At: clock(r.at), Queued: r.queued, Beat: true})
	w.handed = append(w.handed, w.now)
	if w.lose > 0 && w.now >= w.lose {
		j.lost, w.lose = true, 0
	}
	w.station.add(j)
}

func (w *world) finish(index int) {
	j := w.station.remove(index)
	if j.lost {
		return
	}
	w.done = append(w.done, done{w.now, w.now - j.released})
	w.pass(w.pacer.Done(clock(w.now), j.token))
}
