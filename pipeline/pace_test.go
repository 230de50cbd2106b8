package pipeline

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// every is a metronome of 10 ms.
var every = metronome.Options{Interval: 10 * ms}

// dividing is a governor that never leaves its base.
func dividing(base int) governor.Options { return governor.Options{High: time.Hour, Base: base} }

var five = []item{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}}

func TestPace(t *testing.T) {
	tests := []struct {
		name    string
		config  Config[string, item]
		service time.Duration
		source  [][]step
		want    []string
	}{
		{
			name:   "each beat passes without a governor",
			source: [][]step{at(5*ms, five[:3]...)},
			want:   []string{"10ms a1", "20ms b1", "30ms c1"},
		},
		{
			name:   "one beat in three passes",
			config: Config[string, item]{Governor: dividing(3)},
			source: [][]step{at(5*ms, five[:2]...)},
			want:   []string{"30ms a1", "60ms b1"},
		},
		{
			name:   "an arrival in an empty cache waits for the passing beat",
			config: Config[string, item]{Governor: dividing(3)},
			source: [][]step{at(95*ms, five[0])},
			want:   []string{"120ms a1"},
		},
		{
			name:   "the phase is kept across a sleep",
			config: Config[string, item]{Governor: dividing(4)},
			source: [][]step{at(5*ms, five[0]), at(195*ms, five[1]), at(401*ms, five[2])},
			want:   []string{"40ms a1", "200ms b1", "440ms c1"},
		},
		{
			name:   "several reads a pass",
			config: Config[string, item]{Reads: 2, Workers: 3},
			source: [][]step{at(5*ms, five...)},
			want:   []string{"10ms 2 reads", "20ms 2 reads", "30ms 1 reads"},
		},
		{
			name:   "no more reads than workers",
			config: Config[string, item]{Reads: 5, Workers: 2},
			source: [][]step{at(5*ms, five...)},
			want:   []string{"10ms 2 reads", "20ms 2 reads", "30ms 1 reads"},
		},
		{
			name:    "a free worker reads on each beat, a busy one when it is free",
			config:  Config[string, item]{Workers: 2},
			service: 25 * ms,
			source:  [][]step{at(5*ms, five...)},
			want:    []string{"10ms a1", "20ms b1", "35ms c1", "45ms d1", "60ms e1"},
		},
		{
			name:    "credit lasts and does not add up",
			source:  [][]step{at(5*ms, item{"slow", 35}, five[0], five[1], five[2])},
			service: -1, // as many ms as the value says, 1 at least
			want:    []string{"10ms slow35", "45ms a1", "50ms b1", "60ms c1"},
		},
		{
			name:   "beats on multiples of the interval",
			config: Config[string, item]{Metronome: metronome.Options{Interval: 7 * ms, Align: true}},
			source: [][]step{at(0, five[:3]...)},
			want:   []string{"5ms a1", "12ms b1", "19ms c1"}, // the bubble begins 2 ms after a multiple
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if test.config.Metronome.Interval == 0 {
					test.config.Metronome = every
				}
				d := newDiary()
				mustRun(t, test.config, script(600*ms, test.source...), func(ctx handling, e entry) error {
					d.note("%v", e.Value)
					if test.service < 0 {
						time.Sleep(time.Duration(e.Value.n) * ms)
					} else {
						time.Sleep(test.service)
					}
					return nil
				})
				if test.config.Reads > 1 {
					d.lines = tally(d.lines)
				}
				d.check(t, test.want...)
			})
		})
	}
}

// tally counts the lines of each instant: workers that read at the same moment
// note it in any order.
func tally(lines []string) []string {
	var counted []string
	for len(lines) > 0 {
		var when string
		fmt.Sscan(lines[0], &when)
		n := 0
		for n < len(lines) && len(lines[n]) > len(when) && lines[n][:len(when)+1] == when+" " {
			n++
		}
		counted = append(counted, fmt.Sprintf("%s %d reads", when, n))
		lines = lines[n:]
	}
	return counted
}

// The governor sees when each entry was released, not when it was read, and
// whether a worker was free then. One worker needs 93 ms for each entry.
func TestPaceScriptedOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var decisions []string
		c := Config[string, item]{
			Metronome: every,
			Governor: governor.Options{
				High: 50 * ms, Base: 2, Max: 4, Window: 1,
				OnDecision: func(g governor.Decision) {
					decisions = append(decisions, fmt.Sprintf("%v %d-%d %v %v queued %d",
						g.Time.Sub(d.start), g.From, g.To, g.Reason, g.Signal, g.Queued))
				},
			},
		}
		var first []item
		for n := range 9 {
			first = append(first, item{fmt.Sprint("k", n), 0})
		}
		mustRun(t, c, script(1100*ms, at(5*ms, first...), at(903*ms, item{"z", 0})), d.reader(93*ms))

		d.check(t, "20ms k00", "113ms k10", "206ms k20", "299ms k30", "392ms k40",
			"485ms k50", "578ms k60", "671ms k70", "764ms k80", "920ms z0")
		want := []string{
			"113ms 2-2 at base 93ms queued 0", // released at 20
			"206ms 2-3 slower 166ms queued 1", // released at 40; the next, at 120, is before this change
			"392ms 3-4 slower 162ms queued 1", // released at 230; the next, at 320, is before this change
			"578ms 4-4 at max 158ms queued 1", // released at 420
			"861ms 4-3 idle 0s queued 0",      // done at 857, and asleep from 860 to 903
			"865ms 3-2 idle 0s queued 0",
			"1.013s 2-2 at base 93ms queued 0", // released at 920: the phase was kept
		}
		if !slices.Equal(decisions, want) {
			t.Errorf("decisions\n\t%q\nwant\n\t%q", decisions, want)
		}
	})
}

// A metronome that sleeps while nothing waits reads at the same instants, and
// decides the same, as one that never does. One with a limit never does.
func TestPaceSleepChangesNothing(t *testing.T) {
	for seed := range uint64(40) {
		asleep := pacedRun(t, seed, 0)
		awake := pacedRun(t, seed, 1<<40)
		if len(asleep) < 50 {
			t.Fatalf("seed %d: only %d lines", seed, len(asleep))
		}
		for i := range asleep {
			if i >= len(awake) || asleep[i] != awake[i] {
				t.Fatalf("seed %d: line %d\n\tasleep %q\n\tawake  %q", seed, i, asleep[i:], awake[i:])
			}
		}
	}
}

// pacedRun alternates bursts and idle stretches, and returns the reads and the
// decisions of the governor in the order of their times.
func pacedRun(t *testing.T, seed, limit uint64) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(seed, 1))
		d := newDiary()
		type line struct {
			at   time.Duration
			text string
		}
		var notes []line
		c := Config[string, item]{
			Metronome: metronome.Options{Interval: ms, Limit: limit},
			Governor: governor.Options{High: 3 * ms, Base: 5, Max: 12, Window: 1, OnDecision: func(g governor.Decision) {
				notes = append(notes, line{g.Time.Sub(d.start), fmt.Sprintf("%d-%d %v", g.From, g.To, g.Reason)})
			}},
		}
		var steps []step
		now := time.Duration(0)
		for n := range 60 {
			if n%6 == 0 {
				now += time.Duration(random.Int64N(int64(300 * ms)))
			}
			now += time.Duration(random.Int64N(int64(4 * ms)))
			steps = append(steps, at(now, item{fmt.Sprint("k", n), int(random.Int64N(int64(20 * ms)))})...)
		}
		mustRun(t, c, script(now+time.Second, steps), func(_ handling, e entry) error {
			notes = append(notes, line{time.Since(d.start), e.Value.String()})
			time.Sleep(time.Duration(e.Value.n))
			return nil
		})
		slices.SortStableFunc(notes, func(a, b line) int { return cmp.Compare(a.at, b.at) })
		for _, n := range notes {
			lines = append(lines, fmt.Sprint(n.at, " ", n.text))
		}
	})
	return lines
}
