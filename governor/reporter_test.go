package governor

import (
	"slices"
	"sync"
	"testing"
)

func (r *reporter) say(mu *sync.Mutex, to int) {
	mu.Lock()
	defer r.unlock(mu)
	r.add(Decision{To: to})
}

func TestReporterCallsOutsideTheLock(t *testing.T) {
	var mu sync.Mutex
	calls := 0
	r := reporter{callback: func(Decision) {
		calls++
		if !mu.TryLock() {
			t.Error("called under the lock")
			return
		}
		mu.Unlock()
	}}
	r.say(&mu, 1)
	r.say(&mu, 2)
	if calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

func TestReporterKeepsOrderWhenReentered(t *testing.T) {
	var mu sync.Mutex
	var got []int
	var r reporter
	r.callback = func(d Decision) {
		if d.To < 3 {
			r.say(&mu, d.To+1)
		}
		got = append(got, d.To)
	}
	r.say(&mu, 1)
	if want := []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReporterKeepsOrderAcrossGoroutines(t *testing.T) {
	var mu sync.Mutex
	var got []int // unguarded: calls never overlap
	r := reporter{callback: func(d Decision) { got = append(got, d.To) }}
	next := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				r.add(Decision{To: next})
				next++
				r.unlock(&mu)
			}
		})
	}
	wg.Wait()
	if len(got) != 800 || !slices.IsSorted(got) {
		t.Errorf("%d calls, in order: %v", len(got), slices.IsSorted(got))
	}
}

func TestReporterSurvivesAPanic(t *testing.T) {
	var mu sync.Mutex
	var got []int
	r := reporter{callback: func(d Decision) {
		if d.To == 1 {
			panic("boom")
		}
		got = append(got, d.To)
	}}
	func() {
		defer func() {
			if recover() != "boom" {
				t.Error("the panic did not reach the caller")
			}
		}()
		r.say(&mu, 1)
	}()
	r.say(&mu, 2)
	if want := []int{2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReporterWithoutCallback(t *testing.T) {
	var mu sync.Mutex
	var r reporter
	r.say(&mu, 1)
	if len(r.pending) != 0 {
		t.Error("decisions pile up with nobody to report them to")
	}
}
