package governor

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// pacer is what paces the consumer: a *Governor, or a rival of it.
type pacer interface {
	Beat(now time.Time, beats uint64, waiting int) int
	Start(now time.Time, r Release) Work
	Done(now time.Time, w Work) int
}

// world is one simulated pipeline: a cache, a metronome, a pacer, a consumer.
type world struct {
	tick      float64 // seconds between calls of Beat
	pulling   bool
	byAge     bool    // tell the pacer the time in the cache instead
	arrivals  float64 // a second; 0 means that every key always waits
	keys      int
	service   func(*rand.Rand) float64
	speeds    []speed
	loseAfter float64 // the first entry handed out after this is lost; 0 means none
	end       float64
	late      float64 // with lateLeft: a latency while slow that counts as late
	lateLeft  int     // the run ends at so many late ones; 0 means never

	station  station
	pacer    pacer
	services *rand.Rand
	arriving *rand.Rand

	now      float64
	waiting  []float64 // insertion times, oldest first
	credit   int
	released []simRelease    // credit that met an entry, but no free worker yet
	handed   []float64       // when entries were handed out
	done     []latencySample // what was processed
	watch    func(now float64)
}

// speed is the consumer's speed from a time on.
type speed struct{ from, factor float64 }

type latencySample struct{ at, latency float64 }

var simStart = time.Unix(0, 0)

func simTime(seconds float64) time.Time {
	return simStart.Add(time.Duration(math.Round(seconds * 1e9)))
}

// run simulates until end. The n-th entry handed out since the last change of
// speed needs the same work in every world with the same seed, whatever the
// pacer and however much it handed out before.
func (w *world) run(seed uint64) {
	w.services = rand.New(rand.NewPCG(seed, 1))
	w.arriving = rand.New(rand.NewPCG(seed, 2))
	w.station.speed = 1
	if w.arrivals == 0 {
		w.waiting = make([]float64, w.keys)
	}
	ticks, arrival := 1, w.nextArrival()
	for {
		untilDone, index := w.station.untilDone()
		doneAt := w.now + untilDone
		beatAt := float64(ticks) * w.tick
		changeAt := math.Inf(1)
		if len(w.speeds) > 0 {
			changeAt = w.speeds[0].from
		}
		next := min(doneAt, beatAt, changeAt, arrival)
		if next >= w.end {
			return
		}
		w.station.elapse(next - w.now)
		w.now = next
		switch next {
		case doneAt:
			w.finish(index)
		case changeAt:
			w.station.speed, w.speeds = w.speeds[0].factor, w.speeds[1:]
			w.services = rand.New(rand.NewPCG(seed, 3+uint64(len(w.speeds))))
		case arrival:
			w.arrive()
			arrival = w.nextArrival()
		default:
			ticks++
			w.pass(w.pacer.Beat(simTime(w.now), 1, len(w.waiting)-len(w.released)))
			if w.watch != nil {
				w.watch(w.now)
			}
		}
		w.hand()
	}
}

func (w *world) nextArrival() float64 {
	if w.arrivals == 0 {
		return math.Inf(1)
	}
	return w.now + w.arriving.ExpFloat64()/w.arrivals
}

// arrive puts a value into the cache. With m of n keys waiting, it merges into
// one of those with probability m/n.
func (w *world) arrive() {
	if w.arriving.IntN(w.keys) >= len(w.waiting) {
		w.waiting = append(w.waiting, w.now)
	}
}

// pass sets the credit, as a pass of a pipeline does.
func (w *world) pass(reads int) {
	if reads > 0 {
		w.credit = reads
	}
	if w.pulling {
		w.credit = min(w.credit, w.station.servers)
	}
}

// hand releases entries and hands out those that the consumer takes.
func (w *world) hand() {
	for len(w.released) < min(w.credit, len(w.waiting)) {
		queued := w.station.open()+len(w.released) >= w.station.servers
		w.released = append(w.released, simRelease{w.now, queued})
	}
	for len(w.released) > 0 && !(w.pulling && w.station.open() >= w.station.servers) {
		j := &job{inserted: w.waiting[0], work: w.service(w.services), release: w.released[0]}
		w.released, w.waiting, w.credit = w.released[1:], w.waiting[1:], w.credit-1
		if w.arrivals == 0 {
			w.waiting = append(w.waiting, w.now)
		}
		w.start(j)
	}
}

func (w *world) start(j *job) {
	r := Release{At: simTime(j.release.at), Queued: j.release.queued, Beat: true}
	if w.byAge {
		r.At = simTime(j.inserted)
	}
	j.token = w.pacer.Start(simTime(w.now), r)
	w.handed = append(w.handed, w.now)
	if w.loseAfter > 0 && w.now >= w.loseAfter {
		j.lost, w.loseAfter = true, 0
	}
	w.station.add(j)
}

func (w *world) finish(index int) {
	j := w.station.remove(index)
	if j.lost {
		return
	}
	latency := w.now - j.release.at
	w.done = append(w.done, latencySample{w.now, latency})
	if w.late > 0 && w.now >= slowFrom && latency > w.late {
		if w.lateLeft--; w.lateLeft <= 0 {
			w.end = w.now
		}
	}
	w.pass(w.pacer.Done(simTime(w.now), j.token))
}

// between returns the rate and the p99 latency of what was processed in a span.
func (w *world) between(from, to float64) (rate, p99 float64) {
	var latencies []float64
	for _, s := range w.done {
		if s.at >= from && s.at < to {
			latencies = append(latencies, s.latency)
		}
	}
	if len(latencies) == 0 {
		return 0, math.Inf(1)
	}
	slices.Sort(latencies)
	return float64(len(latencies)) / (to - from), latencies[(len(latencies)*99-1)/100]
}
