package pipeline

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/governor"
)

// still is a run whose goroutines have not been started, with keys waiting.
func still(t *testing.T, c Config[string, item], keys int) *run[string, item] {
	c.Metronome = every
	r := newRun(t.Context(), mustNew(t, c))
	t.Cleanup(func() { r.cancelTakes(); r.cancelHandlers(); r.cancelSources() })
	for n := range keys {
		if err := r.cache.Put(fmt.Sprint(n), item{}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestBeatCredit(t *testing.T) {
	tests := []struct {
		name                             string
		reads, workers, waiting, unspent int
		beats                            uint64
		owed                             int
		released, left                   int
	}{
		{"a pass", 1, 4, 9, 0, 1, 0, 1, 0},
		{"no beat", 1, 4, 9, 0, 0, 0, 0, 0},
		{"missed beats are made up for", 1, 4, 9, 0, 3, 0, 3, 0},
		{"but no more than there are workers", 1, 4, 9, 0, 1000, 0, 4, 0},
		{"each with its reads", 2, 9, 9, 0, 3, 0, 6, 0},
		{"a pass sets the credit and does not add to it", 2, 4, 9, 1, 1, 0, 1, 0},
		{"unspent credit is all there may be", 1, 4, 9, 1, 1, 0, 0, 0},
		{"a pass replaces what is owed", 2, 9, 1, 0, 1, 7, 1, 1},
		{"what is owed needs no pass", 1, 4, 9, 0, 0, 2, 2, 0},
		{"credit is void when nothing waits", 2, 4, 0, 0, 1, 2, 0, 0},
		{"a release has an entry to itself", 2, 4, 2, 1, 1, 0, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := still(t, Config[string, item]{Reads: test.reads, Workers: test.workers}, test.waiting)
			for range test.unspent {
				putIn(r.gate, governor.Release{})
			}
			left := r.beat(test.beats, test.owed)
			if released := r.gate.unspent() - test.unspent; released != test.released || left != test.left {
				t.Errorf("released %d, owed %d, want %d and %d", released, left, test.released, test.left)
			}
		})
	}
}

// Credit for an entry that backs off is owed until the next pass.
func TestPaceOwesToBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, Governor: dividing(5), Backoff: Backoff{First: 61 * ms}}
		mustRun(t, c, script(300*ms, at(5*ms, five[0])), func(_ handling, e entry) error {
			d.note("%v", e.Value)
			if e.Attempts == 1 {
				return errBoom
			}
			return nil
		})
		d.check(t, "50ms a1", "120ms a1") // back at 111, with the credit of 100
	})
}

// Of two entries that one beat releases the second is queued if the first gets
// the last free worker, who may have taken it by then.
func TestReleaseQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := still(t, Config[string, item]{Reads: 3, Workers: 3}, 5)
		r.cache.TryTake()
		var got [3]bool
		for i := range 2 { // two free workers
			go func() {
				var release governor.Release
				r.gate.wait(t.Context(), &release)
				got[i] = release.Queued
			}()
		}
		synctest.Wait()
		r.beat(1, 0)
		synctest.Wait()
		var last governor.Release
		r.gate.wait(t.Context(), &last)
		got[2] = last.Queued
		if want := [3]bool{false, false, true}; got != want {
			t.Errorf("queued %v, want %v", got, want)
		}
	})
}
