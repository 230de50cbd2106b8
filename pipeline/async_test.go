package pipeline

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

// later is an asynchronous handler that notes each entry, and is done with it
// after as many milliseconds as its value says.
func (d *diary) later() AsyncHandler[string, item] {
	return func(_ handling, e entry, done func(error)) {
		d.note("%v", e.Value)
		time.AfterFunc(time.Duration(e.Value.n)*ms, func() { done(nil) })
	}
}

// One worker has many entries in progress, but each key once.
func TestAsync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(50*ms, at(0, item{"a", 20}, item{"b", 30}), at(5*ms, item{"c", 5}, item{"a", 7}), at(6*ms, item{"a", 8})))
		d.check(t, "0s a20", "0s b30", "5ms c5", "20ms a8")
		if s := p.Stats(); s.Ledger.Done != 4 || s.Service.Max != 30*ms || s.Wait.Max != 15*ms {
			t.Errorf("done %d, service %v, wait %v", s.Ledger.Done, s.Service.Max, s.Wait.Max)
		}
	})
}

// Only the first call of done counts.
func TestAsyncDoneTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.ConsumeAsync(func(_ handling, e entry, done func(error)) {
			done(nil)
			done(errBoom)
			go done(errBoom)
		})
		mustEnd(t, p, script(10*ms, at(0, five...)))
		if s := p.Stats(); s.Ledger.Done != 5 || s.FailedAttempts != 0 {
			t.Errorf("done %d, failed %d", s.Ledger.Done, s.FailedAttempts)
		}
	})
}

// However an attempt ends, the entry is tried again, and the worker goes on.
func TestAsyncFailures(t *testing.T) {
	for name, fail := range map[string]func(done func(error)){
		"error":                 func(done func(error)) { done(errBoom) },
		"later":                 func(done func(error)) { time.AfterFunc(5*ms, func() { done(errBoom) }) },
		"panic":                 func(func(error)) { panic("oops") },
		"exit":                  func(func(error)) { runtime.Goexit() },
		"panic after the error": func(done func(error)) { done(errBoom); panic("oops") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := map[string]int{}
				p := mustNew(t, Config[string, item]{})
				p.ConsumeAsync(func(_ handling, e entry, done func(error)) {
					attempts[e.Key] = e.Attempts
					if e.Key == "a" && e.Attempts < 3 {
						fail(done)
						return
					}
					done(nil)
				})
				mustEnd(t, p, script(100*ms, at(0, five[:2]...)))
				s := p.Stats()
				if attempts["a"] != 3 || attempts["b"] != 1 || s.Ledger.Done != 2 || s.FailedAttempts != 2 {
					t.Errorf("attempts %v, done %d, failed %d", attempts, s.Ledger.Done, s.FailedAttempts)
				}
			})
		})
	}
}

// A panic after done comes too late for the entry, and is told all the same.
func TestAsyncPanicAfterDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		p := mustNew(t, Config[string, item]{Logger: j.logger()})
		p.ConsumeAsync(func(_ handling, e entry, done func(error)) {
			done(nil)
			panic("oops")
		})
		mustEnd(t, p, script(ms, at(0, five...)))
		if got, want := j.lines(t)[1], "warn handler failed attempt=1 error=panic: oops key=a pipeline=pipeline stack=(stack)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if s := p.Stats(); s.Ledger.Done != 5 || s.FailedAttempts != 0 {
			t.Errorf("done %d, failed %d", s.Ledger.Done, s.FailedAttempts)
		}
	})
}

// A drain waits for what is in progress, as long as it takes at the end of input.
func TestAsyncDrainWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(10*ms, at(0, item{"a", 90_000}), at(5*ms, item{"a", 3})))
		d.note("end")
		d.check(t, "0s a90000", "1m30s a3", "1m30.003s end")
	})
}

// What is in progress when the metronome reaches its limit is finished.
func TestAsyncLimitOfBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Metronome.Limit = 2
		p := mustNew(t, c)
		p.ConsumeAsync(func(ctx handling, e entry, done func(error)) {
			time.AfterFunc(50*ms, func() { d.note("%v %v", e.Value, ctx.Err()); done(nil) })
		})
		mustEnd(t, p, script(forever, at(0, five[:2]...)))
		d.note("end")
		d.check(t, "60ms a1 <nil>", "70ms b1 <nil>", "70ms end")
	})
}

// An entry whose done is never called is left behind, and counted.
func TestAsyncNeverDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var dones []func(error)
		var cancelled handling
		p := mustNew(t, Config[string, item]{DrainTimeout: 30 * ms, Grace: 5 * ms})
		p.Produce(Producer[item]{Source: script(forever, at(2*ms, five[0]), at(4*ms, five[1], item{"a", 2}))})
		p.ConsumeAsync(func(ctx handling, _ entry, done func(error)) {
			cancelled = ctx
			dones = append(dones, done)
		})
		err := p.Run(cancelAt(t, 10*ms))
		d.note("%v", err)
		d.check(t, "45ms pipeline: entries left behind: 1 waiting, 2 in handlers")
		var stuck *StuckError
		if errors.As(err, &stuck) {
			t.Errorf("the worker is named: %v", err)
		}
		if cancelled.Err() == nil {
			t.Error("the handler's context was not cancelled")
		}
		if got := p.Stats().OldestLease; got != 43*ms {
			t.Errorf("the oldest lease is %v, want 43ms", got)
		}

		// Done after the end is harmless, either way.
		dones[0](nil)
		dones[1](errBoom)
		dones[1](nil)
		s := p.Stats()
		if s.Ledger.Done != 1 || s.Ledger.Waiting != 2 || s.Ledger.Leased != 0 || s.OldestLease != 0 || s.FailedAttempts != 0 {
			t.Errorf("ledger %+v, oldest lease %v, failed %d", s.Ledger, s.OldestLease, s.FailedAttempts)
		}
		var waiting []string
		for k := range keys(p.Waiting()) {
			waiting = append(waiting, k)
		}
		if slices.Sort(waiting); !slices.Equal(waiting, []string{"a", "b"}) {
			t.Errorf("waiting %q", waiting)
		}
		checkBalance(t, p)
	})
}

// What comes within the grace period after the deadline still counts.
func TestAsyncDoneInGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{DrainTimeout: 30 * ms, Grace: 5 * ms})
		p.Produce(Producer[item]{Source: script(forever, at(0, five[:2]...))})
		p.ConsumeAsync(func(ctx handling, e entry, done func(error)) {
			after := 2 * ms
			if e.Key == "a" {
				after = 4 * ms
			}
			go func() { <-ctx.Done(); time.Sleep(after); done(nil) }()
		})
		err := p.Run(cancelAt(t, 10*ms))
		d.note("%v", err)
		d.check(t, "44ms <nil>")
		if got := p.Stats().Ledger.Done; got != 2 {
			t.Errorf("%d done, want 2", got)
		}
	})
}

// A limit bounds what is in progress; the rest waits and coalesces.
func TestAsyncLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Limit: governor.Fixed(2)})
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(50*ms, at(0, item{"a", 20}, item{"b", 25}, item{"c", 10}), at(5*ms, item{"c", 11}, item{"d", 1})))
		d.check(t, "0s a20", "0s b25", "20ms c11", "25ms d1")
	})
}

// A beat releases its reads, whatever the number of workers.
func TestAsyncPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every, Reads: 3})
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(100*ms, at(5*ms, item{"a", 99}, item{"b", 99}, item{"c", 99}, item{"d", 99}, item{"e", 99})))
		d.check(t, "10ms a99", "10ms b99", "10ms c99", "20ms d99", "20ms e99")
	})
}

// While work is older than the brake allows no beat passes; the one that is
// owed goes as soon as that work is done.
func TestAsyncOwedPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, Governor: governor.Options{High: 40 * ms, Base: 1, Parallel: 1}}
		p := mustNew(t, c)
		p.ConsumeAsync(d.later())
		mustEnd(t, p, script(150*ms, at(5*ms, item{"a", 43}), at(25*ms, item{"b", 1}, item{"c", 1})))
		// Released at 10, a is older than 20 ms at 40; the passes of 40 and 50
		// are one when it is done.
		d.check(t, "10ms a43", "30ms b1", "53ms c1")
		if p.Stats().Governor.Braking == 0 {
			t.Error("never braked")
		}
	})
}

// A token that is left from before does not end the wait for the jobs of now.
func TestOngoingOldToken(t *testing.T) {
	o := newOngoing()
	o.begin()
	o.end()
	o.begin()
	waits := 0
	if o.wait(func(none <-chan struct{}) bool {
		waits++
		select {
		case <-none:
			return true
		default:
			return false
		}
	}) || waits != 2 {
		t.Errorf("ended after %d waits", waits)
	}
}

// The run waits for what follows a done that comes from elsewhere.
func TestAsyncDeadLetterIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Attempts: 1, DeadLetter: func(handling, entry, error) {
			time.Sleep(10 * ms)
			d.note("dead")
		}})
		p.ConsumeAsync(func(_ handling, _ entry, done func(error)) {
			time.AfterFunc(10*ms, func() { done(errBoom) })
		})
		mustEnd(t, p, script(0, at(0, five[0])))
		d.note("end")
		d.check(t, "20ms dead", "20ms end")
	})
}
