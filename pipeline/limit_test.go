package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

// What the limit refuses waits in the cache, and goes on coalescing.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inHand, most atomic.Int64
		got := map[item]bool{}
		d := newDiary()
		p := mustNew(t, Config[string, item]{Workers: 8, Limit: governor.Fixed(2)})
		p.Consume(func(_ handling, e entry) error {
			most.Store(max(most.Load(), inHand.Add(1)))
			defer inHand.Add(-1)
			time.Sleep(10 * ms)
			d.mu.Lock()
			got[e.Value] = true
			d.mu.Unlock()
			return nil
		})
		time.AfterFunc(5*ms, func() {
			synctest.Wait()
			s := p.Stats()
			d.note("limit %d, held %d, started %d, workers waiting %d; %d wait", s.Limit.Limit, s.Limit.Held, s.Limit.InFlight, s.Limit.Waiting, s.Ledger.Waiting)
		})
		mustEnd(t, p, script(10*ms, at(0, five...), at(ms, item{"f", 1}, item{"g", 1}), at(5*ms, item{"g", 2}, item{"f", 2}), at(6*ms, item{"g", 3})))
		d.note("end")
		d.check(t, "5ms limit 2, held 2, started 2, workers waiting 6; 5 wait", "40ms end")
		if most.Load() != 2 {
			t.Errorf("%d handlers at once, want 2", most.Load())
		}
		s := p.Stats()
		if !got[item{"f", 2}] || !got[item{"g", 3}] || s.Ledger.Merged != 3 || s.Ledger.Done != 7 || s.Limit.Succeeded != 7 || s.Limit.Held != 0 {
			t.Errorf("got %v, ledger %+v, limit %+v", got, s.Ledger, s.Limit)
		}
	})
}

// A limit of fewer permits than workers does not show while nothing waits.
func TestLimitIdleWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Workers: 8, Limit: governor.Fixed(3)})
		p.Consume(d.reader(0))
		time.AfterFunc(ms, func() {
			s := p.Stats().Limit
			d.note("held %d, started %d", s.Held, s.InFlight)
		})
		mustEnd(t, p, script(10*ms))
		d.check(t, "1ms held 3, started 0")
	})
}

// Workers bound the limit of a pulling consumer, and not that of another.
func TestLimitCeiling(t *testing.T) {
	p := mustNew(t, Config[string, item]{Workers: 4, Limit: governor.Fixed(20)})
	p.Consume(func(handling, entry) error { return nil })
	if got := p.Stats().Limit.Limit; got != 4 {
		t.Errorf("the limit is %d, want 4", got)
	}
	p = mustNew(t, Config[string, item]{Workers: 4, Limit: governor.Fixed(20)})
	p.ConsumeAsync(func(handling, entry, func(error)) {})
	if got := p.Stats().Limit.Limit; got != 20 {
		t.Errorf("the limit is %d, want 20", got)
	}
}

// A Gradient2 moves once a window, unless the user sets windows of his own.
func TestLimitWindowed(t *testing.T) {
	tests := []struct {
		name  string
		limit governor.Limit
		moves bool // within 600 ms
	}{
		{"by default", &governor.Gradient2{}, false},
		{"short windows", &governor.Windowed{Limit: &governor.Gradient2{}, Window: 100 * ms}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, err := newLimiter(Config[string, item]{Limit: test.limit}, events{}, true)
				if err != nil {
					t.Fatal(err)
				}
				first := l.Limit()
				work := func() { // 600 ms, with all permits in use
					for range 12 {
						var tokens []governor.Token
						for range l.Limit() {
							token, _ := l.TryAcquire()
							tokens = append(tokens, token)
						}
						time.Sleep(50 * ms)
						for _, token := range tokens {
							token.Success()
						}
					}
				}
				work()
				if moved := l.Limit() != first; moved != test.moves {
					t.Errorf("after 600 ms: moved %v, want %v", moved, test.moves)
				}
				for range 4 {
					work()
				}
				if l.Limit() == first {
					t.Error("after 3 s: has not moved")
				}
			})
		})
	}
}

// How a handler ends is what the limit is told.
func TestLimitOutcomes(t *testing.T) {
	var j journal
	tests := []struct {
		name                        string
		handle                      func() error
		ask                         func(error) governor.Outcome
		ignored, succeeded, dropped uint64
	}{
		{"success", func() error { return nil }, nil, 0, 1, 0},
		{"error", func() error { return errBoom }, nil, 1, 0, 0},
		{"timeout", func() error { return fmt.Errorf("call: %w", context.DeadlineExceeded) }, nil, 0, 0, 1},
		{"panic", func() error { panic("oops") }, nil, 0, 0, 1},
		{"panic with an error", func() error { panic(errBoom) }, func(error) governor.Outcome { return governor.Succeeded }, 0, 0, 1},
		{"exit", func() error { runtime.Goexit(); return nil }, nil, 1, 0, 0},
		{"error that counts", func() error { return errBoom }, func(err error) governor.Outcome {
			if errors.Is(err, errBoom) {
				return governor.Dropped
			}
			return governor.Ignored
		}, 0, 0, 1},
		{"LimitErrors panics", func() error { return errBoom }, func(error) governor.Outcome { panic("errors") }, 1, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := Config[string, item]{Attempts: 1, Limit: governor.Fixed(1), LimitErrors: test.ask, Logger: j.logger()}
				p := mustRun(t, c, script(ms, at(0, five[0])), func(handling, entry) error { return test.handle() })
				s := p.Stats().Limit
				// The permit of the worker that finds nothing more is ignored too.
				if s.Ignored != test.ignored+1 || s.Succeeded != test.succeeded || s.Dropped != test.dropped {
					t.Errorf("ignored %d, succeeded %d, dropped %d", s.Ignored-1, s.Succeeded, s.Dropped)
				}
			})
		})
	}
}

// falling is a limit that starts at its value and is 1 after something was
// dropped.
type falling int

func (f falling) Start(int) (governor.Algorithm, error) { return &f, nil }

func (f *falling) Limit() int                { return int(*f) }
func (f *falling) Reading() governor.Reading { return governor.Reading{} }

func (f *falling) Observe(s governor.Sample) int {
	if s.Dropped {
		*f = 1
	}
	return int(*f)
}

// A limit that falls leaves those at work alone, and bounds the next.
func TestLimitFalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		d := newDiary()
		c := Config[string, item]{Workers: 4, Attempts: 1, Limit: falling(3), Logger: j.logger()}
		mustRun(t, c, script(5*ms, at(0, item{"slow", 1}, item{"slow2", 1}, item{"late", 1}), at(ms, five[:3]...)), func(_ handling, e entry) error {
			d.note("")
			switch e.Key {
			case "late":
				time.Sleep(5 * ms)
				return context.DeadlineExceeded
			case "slow", "slow2":
				time.Sleep(20 * ms)
			default:
				time.Sleep(10 * ms)
			}
			return nil
		})
		d.lines = tally(d.lines)
		d.check(t, "0s 3 reads", "20ms 1 reads", "30ms 1 reads", "40ms 1 reads")
		if lines, want := j.lines(t), "debug limit changed from=3 pipeline=pipeline to=1"; !slices.Contains(lines, want) {
			t.Errorf("events %q, want %q", lines, want)
		}
	})
}

// Workers that wait for a permit do not hold up the stop.
func TestLimitStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustRun(t, Config[string, item]{Workers: 5, Limit: governor.Fixed(1)}, script(0, at(0, five[:3]...)), d.reader(10*ms))
		d.note("end")
		d.check(t, "0s a1", "10ms b1", "20ms c1", "30ms end")
		if s := p.Stats().Limit; s.Waiting != 0 || s.Held != 0 {
			t.Errorf("limit %+v", s)
		}
	})
}

func TestLimitStopAtDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Workers: 5, Limit: governor.Fixed(1), DrainTimeout: 15 * ms})
		p.Produce(Producer[item]{Source: script(forever, at(0, five...))})
		p.Consume(func(ctx handling, e entry) error {
			d.note("%v", e.Value)
			select {
			case <-time.After(10 * ms):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		err := p.Run(cancelAt(t, ms))
		d.note("%v", err)
		d.check(t, "0s a1", "10ms b1", "16ms pipeline: entries left behind: 4 waiting, 0 in handlers")
		checkBalance(t, p)
	})
}

// A LimitErrors that ends the goroutine leaves no permit open, and says nothing
// against the limit.
func TestLimitErrorsExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Attempts: 1, Limit: governor.Fixed(1), LimitErrors: func(error) governor.Outcome {
			runtime.Goexit()
			return governor.Dropped
		}}
		p := mustRun(t, c, script(0, at(0, five[:2]...)), func(handling, entry) error { return errBoom })
		// The permit of the worker that finds nothing more is ignored too.
		if l := p.Stats().Limit; l.InFlight != 0 || l.Ignored != 3 || l.Dropped != 0 {
			t.Errorf("limit %+v", l)
		}
	})
}
