package governor

import "testing"

func TestEager(t *testing.T) {
	tests := []struct {
		name string
		g    func(t *testing.T) *Governor // its last read was at 0, the one before ended
		now  float64
		want int
	}{
		{"a period after the last read", eagerAt(false, 10), 10, 1},
		{"before that", eagerAt(false, 10), 9.9, 0},
		{"a governed period", eagerAt(false, 13), 9.9, 0},
		{"a governed period: the idle steps count", eagerAt(false, 13), 10, 1},
		{"slower than the idle steps are quick", eagerAt(false, 40), 26.9, 0},
		{"at last", eagerAt(false, 40), 27, 1}, // 13 steps from 40
		{"an asynchronous consumer", eagerAt(true, 10), 10, 1},
		{"the first of all", func(t *testing.T) *Governor {
			return mustNew(t, false, Options{High: 10 * ms, Eager: true})
		}, 0, 1},
		{"something in flight", func(t *testing.T) *Governor {
			g := eagerAt(false, 10)(t)
			g.Start(at(0), Release{})
			return g
		}, 100, 0},
		{"stuck work only", func(t *testing.T) *Governor {
			g := eagerAt(true, 10)(t)
			g.Start(at(0), Release{})
			g.Done(at(2), g.Start(at(1), Release{}))
			return g
		}, 301, 1},
		{"not asked for", func(t *testing.T) *Governor {
			return mustNew(t, false, Options{High: 10 * ms})
		}, 100, 0},
		{"the reads of a pass", func(t *testing.T) *Governor {
			g := mustNew(t, false, Options{High: 10 * ms, Eager: true, Reads: 3, MaxReads: 5})
			g.state.reads = 4
			return g
		}, 100, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.g(t).Eager(at(tt.now)); got != tt.want {
				t.Errorf("%d reads, want %d", got, tt.want)
			}
		})
	}
}

func eagerAt(asynchronous bool, divisor int) func(t *testing.T) *Governor {
	return func(t *testing.T) *Governor {
		g := mustNew(t, asynchronous, Options{High: 10 * ms, Parallel: 1, Eager: true})
		g.state.divisor = divisor
		g.Done(at(1), g.Start(at(0), Release{}))
		return g
	}
}

// An eager read stands for a pass: neither a second one nor a beat follows it
// within the period.
func TestEagerKeepsThePace(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Eager: true})
	g.Beat(at(8), 8, 0)
	if got := g.Eager(at(8.5)); got != 1 {
		t.Fatalf("%d reads, want 1", got)
	}
	if got := g.Eager(at(8.5)); got != 0 {
		t.Errorf("again: %d reads, want 0", got)
	}
	g.Done(at(8.6), g.Start(at(8.5), Release{At: at(8.5)}))
	for beat := 9.0; beat <= 28; beat++ {
		want := 0
		if beat == 18 || beat == 28 {
			want = 1
		}
		if got := g.Beat(at(beat), 1, 1); got != want {
			t.Errorf("beat %v: %d reads, want %d", beat, got, want)
		}
	}
	if got := len(g.Decisions()); got != 0 {
		t.Errorf("%d decisions: an eager read is no sample", got)
	}
}

// However entries arrive, eager reads are a governed period apart from all
// others before them, and no more in number than the beats would allow.
func TestEagerIsNoMoreFrequentThanBeats(t *testing.T) {
	g := mustNew(t, false, Options{High: 10 * ms, Eager: true})
	reads, eager, last := 0, 0, -100.0
	read := func(now float64) {
		g.Done(at(now+0.1), g.Start(at(now), Release{At: at(now)}))
		reads, last = reads+1, now
	}
	for beat := 1.0; beat <= 10_000; beat++ {
		arrival := beat - 0.5
		waits := int(beat)%7 < 3
		if waits && g.Eager(at(arrival)) > 0 {
			if arrival-last < 10 {
				t.Fatalf("eager at %v ms, the last read was at %v", arrival, last)
			}
			read(arrival)
			eager++
			waits = false
		}
		if got := g.Beat(at(beat), 1, 1); got > 0 && waits {
			read(beat)
		}
	}
	// A pass that an eager read stands for comes up to a beat early.
	if reads < 900 || reads > 1053 || eager < 100 {
		t.Errorf("%d reads, %d of them eager, want about 1000", reads, eager)
	}
}
