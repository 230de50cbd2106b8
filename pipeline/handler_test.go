package pipeline

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/governor"
)

func TestPanicError(t *testing.T) {
	tests := []struct {
		name  string
		value any
		text  string
		is    error
	}{
		{"string", "oops", "panic: oops", nil},
		{"error", errBoom, "panic: boom", errBoom},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := guard(func() { panic(test.value) })
			var panicked *PanicError
			if !errors.As(err, &panicked) || panicked.Value != test.value || err.Error() != test.text {
				t.Fatalf("got %#v, want a PanicError of %v", err, test.value)
			}
			if got := errors.Unwrap(err); got != test.is {
				t.Errorf("wraps %v, want %v", got, test.is)
			}
			if !strings.Contains(string(panicked.Stack), "TestPanicError") {
				t.Errorf("the stack does not show where it happened:\n%s", panicked.Stack)
			}
		})
	}
}

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

// So may a DeadLetter, as the Fatal of a test does.
func TestDeadLetterExits(t *testing.T) {
	forms := map[string]func(p *Pipeline[string, item], h Handler[string, item]){
		"one by one": func(p *Pipeline[string, item], h Handler[string, item]) { p.Consume(h) },
		"asynchronous": func(p *Pipeline[string, item], h Handler[string, item]) {
			p.ConsumeAsync(func(ctx handling, e entry, done func(error)) { done(h(ctx, e)) })
		},
	}
	for name, consume := range forms {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustNew(t, Config[string, item]{
					Attempts: 1, Limit: governor.Fixed(1), Metronome: every, Governor: dividing(1),
					DeadLetter: func(handling, entry, error) { runtime.Goexit() },
				})
				p.config.Governor.Parallel = 1
				consume(p, func(_ handling, e entry) error {
					if e.Key == "a" {
						return errBoom
					}
					return nil
				})
				mustEnd(t, p, script(50*ms, at(0, five[:2]...)))
				if s := p.Stats(); s.Ledger.Dead != 1 || s.Ledger.Done != 1 || s.Limit.Held != 0 || s.Governor.InFlight != 0 {
					t.Errorf("ledger %+v, held %d, in flight %d", s.Ledger, s.Limit.Held, s.Governor.InFlight)
				}
			})
		})
	}
}
