package pipeline

import (
	"context"
	"fmt"
	"github.com/headrace/headrace/governor"
	"io/fs"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// Without a metronome an arrival wakes a worker at once.
func TestWorkFreeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustRun(t, Config[string, item]{}, script(90*ms, at(5*ms, five[:2]...), at(33*ms, five[2])), d.reader(10*ms))
		d.check(t, "5ms a1", "15ms b1", "33ms c1")
		s := p.Stats()
		if s.Wait.Max != 10*ms || s.Service.Max != 10*ms || s.Age.Max != 20*ms || s.Oldest.Max != 20*ms || s.Admit.Count != 1 {
			t.Errorf("wait %v, service %v, age %v, oldest %v, admit of %d", s.Wait.Max, s.Service.Max, s.Age.Max, s.Oldest.Max, s.Admit.Count)
		}
	})
}

func TestWorkConflates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []entry
		p := mustRun(t, Config[string, item]{},
			script(50*ms, at(0, item{"a", 1}), at(2*ms, item{"b", 1}, item{"b", 2}), at(4*ms, item{"b", 3})),
			func(_ handling, e entry) error {
				got = append(got, e)
				time.Sleep(10 * ms)
				return nil
			})
		if len(got) != 2 {
			t.Fatalf("%d entries, want 2", len(got))
		}
		if e := got[1]; e.Value.n != 3 || e.Merged != 2 || e.Wait() != 8*ms || e.Age() != 6*ms {
			t.Errorf("got %+v", e)
		}
		if l := p.Stats().Ledger; l.Puts != 4 || l.Inserted != 2 || l.Merged != 2 || l.Done != 2 {
			t.Errorf("ledger %+v", l)
		}
	})
}

func TestWorkRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var drops []cache.Reason
		c := Config[string, item]{
			Attempts: 6, Backoff: Backoff{First: 10 * ms, Max: 45 * ms},
			DeadLetter: func(ctx handling, e entry, err error) {
				d.note("dead %v: %v after %d, %v", e.Value, err, e.Attempts, ctx.Err())
			},
		}
		c.Cache.OnDrop = func(_ entry, r cache.Reason) { drops = append(drops, r) }
		p := mustRun(t, c, script(0, at(0, item{"a", 1})), func(_ handling, e entry) error {
			d.note("%v, attempt %d", e.Value, e.Attempts)
			time.Sleep(ms)
			return errBoom
		})
		d.check(t,
			"0s a1, attempt 1",
			"11ms a1, attempt 2",  // 1 + 10
			"32ms a1, attempt 3",  // 12 + 20
			"73ms a1, attempt 4",  // 33 + 40
			"119ms a1, attempt 5", // 74 + 45
			"165ms a1, attempt 6",
			"166ms dead a1: boom after 6, <nil>")
		s := p.Stats()
		if s.Ledger.Dead != 1 || s.Ledger.Done != 0 || s.FailedAttempts != 6 || s.Panics != 0 {
			t.Errorf("dead %d, done %d, failed %d, panics %d", s.Ledger.Dead, s.Ledger.Done, s.FailedAttempts, s.Panics)
		}
		if !slices.Equal(drops, []cache.Reason{cache.Dead}) {
			t.Errorf("OnDrop got %v", drops)
		}
	})
}

// A message that fails again and again, by error or by panic, holds up nobody.
func TestWorkPoison(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Attempts: 2}
		p := mustRun(t, c, script(60*ms, at(0, item{"panics", 0}, item{"fails", 0}), at(5*ms, five...)),
			func(_ handling, e entry) error {
				d.note("%v", e.Value)
				switch e.Key {
				case "panics":
					panic("poison")
				case "fails":
					return errBoom
				}
				return nil
			})
		d.check(t, "0s panics0", "0s fails0", "5ms a1", "5ms b1", "5ms c1", "5ms d1", "5ms e1", "10ms panics0", "10ms fails0")
		s := p.Stats()
		if s.Ledger.Dead != 2 || s.Ledger.Done != 5 || s.FailedAttempts != 4 || s.Panics != 2 {
			t.Errorf("dead %d, done %d, failed %d, panics %d", s.Ledger.Dead, s.Ledger.Done, s.FailedAttempts, s.Panics)
		}
	})
}

// A newer value joins the entry that failed, whether it came while the handler
// was at work or during the back-off. It does not shorten that.
func TestWorkReturnedJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustRun(t, Config[string, item]{Backoff: Backoff{First: 20 * ms}},
			script(90*ms, at(0, item{"a", 1}), at(2*ms, item{"a", 2}), at(9*ms, item{"a", 3})),
			func(_ handling, e entry) error {
				d.note("%v merged %d attempts %d waited %v", e.Value, e.Merged, e.Attempts, e.Wait())
				time.Sleep(5 * ms)
				if e.Attempts == 1 {
					return errBoom
				}
				return nil
			})
		d.check(t, "0s a1 merged 0 attempts 1 waited 0s", "25ms a3 merged 2 attempts 2 waited 25ms")
		if l := p.Stats().Ledger; l.Joined != 1 || l.Done != 1 || l.Inserted != 2 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// Should the merge of a returned value panic, it is dead and the one that waits
// goes on. An OnDrop that panics changes nothing.
func TestWorkReturnMergePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.Merge = func(_, _ item) item { panic("merge") }
		c.Cache.OnDrop = func(e entry, r cache.Reason) {
			d.note("%v %v", e.Value, r)
			panic("drop")
		}
		p := mustRun(t, c, script(20*ms, at(0, item{"a", 1}), at(2*ms, item{"a", 2})), func(_ handling, e entry) error {
			d.note("%v attempt %d", e.Value, e.Attempts)
			time.Sleep(5 * ms)
			if e.Value.n == 1 {
				return errBoom
			}
			return nil
		})
		d.check(t, "0s a1 attempt 1", "5ms a1 dead", "5ms a2 attempt 1")
		if l := p.Stats().Ledger; l.Dead != 1 || l.Done != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// What the user's callbacks about a dead entry do harms nobody else.
func TestWorkDeadLetterPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Attempts: 1, DeadLetter: func(handling, entry, error) { panic("dead letter") }}
		c.Cache.OnDrop = func(entry, cache.Reason) { panic("drop") }
		p := mustRun(t, c, script(20*ms, at(0, five[:2]...)), func(_ handling, e entry) error {
			d.note("%v", e.Value)
			if e.Key == "a" {
				return errBoom
			}
			return nil
		})
		d.check(t, "0s a1", "0s b1")
		if l := p.Stats().Ledger; l.Dead != 1 || l.Done != 1 {
			t.Errorf("ledger %+v", l)
		}
	})
}

// A key is never in two hands, and its values are processed in their order.
func TestWorkKeyInOneHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var steps []step
		for n := range 5 {
			steps = append(steps, at(time.Duration(n)*3*ms, item{"a", n}, item{fmt.Sprint("x", n), 0})...)
		}
		mustRun(t, Config[string, item]{Workers: 3}, script(100*ms, steps), func(_ handling, e entry) error {
			if e.Key == "a" {
				d.note("%v begins", e.Value)
				time.Sleep(5 * ms)
				d.note("%v ends", e.Value)
			}
			return nil
		})
		d.check(t, "0s a0 begins", "5ms a0 ends", "5ms a1 begins", "10ms a1 ends", "10ms a3 begins", "15ms a3 ends", "15ms a4 begins", "20ms a4 ends")
	})
}

// A nil pointer in an error is a failure like another one: it must not end the process.
func TestWorkNilPointerError(t *testing.T) {
	for name, consume := range map[string]func(*Pipeline[string, item], error){
		"one by one": func(p *Pipeline[string, item], err error) { p.Consume(func(handling, entry) error { return err }) },
		"batch": func(p *Pipeline[string, item], err error) {
			p.ConsumeBatch(2, func(handling, []entry) error { return err })
		},
		"asynchronous": func(p *Pipeline[string, item], err error) {
			p.ConsumeAsync(func(_ handling, _ entry, done func(error)) { done(err) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := mustNew(t, Config[string, item]{Attempts: 1})
				consume(p, (*fs.PathError)(nil))
				mustEnd(t, p, script(0, at(0, five...)))
				if l := p.Stats().Ledger; l.Dead != 5 {
					t.Errorf("ledger %+v", l)
				}
			})
		})
	}
}

// A receipt that ends the goroutine when it is asked whether it was revoked makes
// its entry fail, whatever the consumer: none stays leased.
func TestRevokedExits(t *testing.T) {
	for name, consume := range map[string]func(*Pipeline[string, item]){
		"one by one": func(p *Pipeline[string, item]) { p.Consume(func(context.Context, entry) error { return nil }) },
		"batch": func(p *Pipeline[string, item]) {
			p.ConsumeBatch(3, func(context.Context, []entry) error { return nil })
		},
		"asynchronous": func(p *Pipeline[string, item]) {
			p.ConsumeAsync(func(_ context.Context, _ entry, done func(error)) { done(nil) })
		},
	} {
		for _, c := range []Config[string, item]{{}, {Metronome: every}} {
			for end, do := range map[string]func(){"panic": func() { panic("revoked") }, "Goexit": runtime.Goexit} {
				t.Run(name+" "+end, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						d := newDiary()
						c.Limit, c.Attempts = governor.Fixed(1), 1
						p := mustNew(t, c)
						consume(p)
						p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: yielding(
							Delivery[item]{Value: five[0], Receipt: slip{d, "a"}},
							Delivery[item]{Value: five[1], Receipt: revoker{slip{d, "b"}, do}},
							Delivery[item]{Value: five[2], Receipt: slip{d, "c"}},
						)})
						if err := p.Run(cancelAt(t, time.Minute)); err != nil {
							t.Error(err)
						}
						s := p.Stats()
						if l := s.Ledger; l.Leased != 0 || l.Waiting != 0 || l.Done+l.Dead != 3 || s.Limit.InFlight != 0 {
							t.Errorf("%+v, limit %+v", l, s.Limit)
						}
						if len(d.lines) != 3 {
							t.Errorf("settled %q", d.lines)
						}
					})
				})
			}
		}
	}
}

// revoker is a receipt that does something when it is asked whether it was revoked.
type revoker struct {
	slip
	do func()
}

func (r revoker) Revoked() bool { r.do(); return false }
