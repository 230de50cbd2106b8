package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// batches is a batch handler that notes what it gets and takes its time over
// it. A batch that holds "busy" takes 10 ms, so that more can come together.
func (d *diary) batches(service time.Duration) BatchHandler[string, item] {
	return func(_ context.Context, entries []entry) error {
		var got []item
		for _, e := range entries {
			got = append(got, e.Value)
		}
		d.note("%v", got)
		if got[0].key == "busy" {
			time.Sleep(10 * ms)
		}
		time.Sleep(service)
		return nil
	}
}

// A worker takes what is eligible when it is free, up to the size.
func TestBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.ConsumeBatch(3, d.batches(ms))
		mustEnd(t, p, script(20*ms, at(0, item{"busy", 1}), at(2*ms, five...), at(3*ms, item{"a", 2})))
		d.check(t, "0s [busy1]", "11ms [a2 b1 c1]", "12ms [d1 e1]")
		if s := p.Stats(); s.Ledger.Done != 6 || s.Service.Count != 6 || s.Wait.Max != 10*ms {
			t.Errorf("done %d, measured %d, longest wait %v", s.Ledger.Done, s.Service.Count, s.Wait.Max)
		}
	})
}

// Each of three entries fares as the handler says.
func TestBatchFailures(t *testing.T) {
	timeout := fmt.Errorf("late: %w", context.DeadlineExceeded)
	tests := []struct {
		name     string
		handle   func() error
		want     []string // the dead
		panics   uint64
		outcomes [3]uint64 // ignored (a permit that was never used is too), succeeded, dropped
	}{
		{"none", func() error { return nil }, nil, 0, [3]uint64{1, 2, 0}},
		{"none of them", func() error { return make(BatchErrors, 3) }, nil, 0, [3]uint64{1, 2, 0}},
		{"all", func() error { return errBoom }, []string{"a boom", "b boom", "c boom"}, 0, [3]uint64{2, 1, 0}},
		{"all in time", func() error { return timeout }, []string{"a late: context deadline exceeded", "b late: context deadline exceeded", "c late: context deadline exceeded"}, 0, [3]uint64{1, 1, 1}},
		{"one", func() error { return BatchErrors{nil, errBoom, nil} }, []string{"b boom"}, 0, [3]uint64{2, 1, 0}},
		{"two", func() error { return BatchErrors{errBoom, nil, timeout} }, []string{"a boom", "c late: context deadline exceeded"}, 0, [3]uint64{1, 1, 1}},
		{"too few errors", func() error { return BatchErrors{errBoom} }, []string{
			"a pipeline: BatchErrors of 1 entries for a batch of 3",
			"b pipeline: BatchErrors of 1 entries for a batch of 3",
			"c pipeline: BatchErrors of 1 entries for a batch of 3",
		}, 0, [3]uint64{2, 1, 0}},
		{"too many errors", func() error { return make(BatchErrors, 4) }, []string{
			"a pipeline: BatchErrors of 4 entries for a batch of 3",
			"b pipeline: BatchErrors of 4 entries for a batch of 3",
			"c pipeline: BatchErrors of 4 entries for a batch of 3",
		}, 0, [3]uint64{2, 1, 0}},
		{"panic", func() error { panic("oops") }, []string{"a panic: oops", "b panic: oops", "c panic: oops"}, 3, [3]uint64{1, 1, 1}},
		{"exit", func() error { runtime.Goexit(); return nil }, []string{"a " + errExited.Error(), "b " + errExited.Error(), "c " + errExited.Error()}, 0, [3]uint64{2, 1, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var dead []string
				p := mustNew(t, Config[string, item]{
					Attempts: 1, Limit: governor.Fixed(1),
					DeadLetter: func(_ handling, e entry, err error) { dead = append(dead, fmt.Sprint(e.Key, " ", err)) },
				})
				p.ConsumeBatch(3, func(_ handling, entries []entry) error {
					if entries[0].Key == "busy" {
						time.Sleep(10 * ms)
						return nil
					}
					return test.handle()
				})
				mustEnd(t, p, script(20*ms, at(0, item{"busy", 1}), at(2*ms, five[:3]...)))
				if !slices.Equal(dead, test.want) {
					t.Errorf("dead\n\t%q\nwant\n\t%q", dead, test.want)
				}
				s := p.Stats()
				if n := uint64(len(test.want)); s.Ledger.Dead != n || s.Ledger.Done != 4-n || s.FailedAttempts != n || s.Panics != test.panics {
					t.Errorf("dead %d, done %d, failed %d, panics %d", s.Ledger.Dead, s.Ledger.Done, s.FailedAttempts, s.Panics)
				}
				if got := [3]uint64{s.Limit.Ignored, s.Limit.Succeeded, s.Limit.Dropped}; got != test.outcomes {
					t.Errorf("ignored, succeeded, dropped %v, want %v", got, test.outcomes)
				}
			})
		})
	}
}

// What failed comes again after its back-off, the others do not.
func TestBatchRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Backoff: Backoff{First: 20 * ms}})
		note := d.batches(0)
		p.ConsumeBatch(9, func(ctx handling, entries []entry) error {
			note(ctx, entries)
			errs := make(BatchErrors, len(entries))
			for i, e := range entries {
				if e.Attempts == 1 && e.Value.n < 0 {
					errs[i] = errBoom
				}
			}
			return errs
		})
		mustEnd(t, p, script(50*ms, at(0, item{"busy", 1}), at(2*ms, item{"a", -1}, item{"b", 1}, item{"c", -1})))
		d.check(t, "0s [busy1]", "10ms [a-1 b1 c-1]", "30ms [a-1 c-1]")
	})
}

// A batch is never more than the credit, which is for entries.
func TestBatchPaced(t *testing.T) {
	tests := []struct {
		name        string
		reads, size int
		want        []string
	}{
		{"the credit is all there is", 2, 4, []string{"10ms [a1 b1]", "20ms [c1 d1]", "30ms [e1]"}},
		{"and at most one batch for each worker", 9, 3, []string{"10ms [a1 b1 c1]", "20ms [d1 e1]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 20 { // the worker is woken while the credit is being given
				synctest.Test(t, func(t *testing.T) {
					d := newDiary()
					p := mustNew(t, Config[string, item]{Metronome: every, Reads: test.reads})
					p.ConsumeBatch(test.size, d.batches(5*ms))
					mustEnd(t, p, script(100*ms, at(5*ms, five...)))
					d.check(t, test.want...)
				})
			}
		})
	}
}

// One permit covers a batch.
func TestBatchPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Workers: 3, Limit: governor.Fixed(1)})
		note := d.batches(10 * ms)
		p.ConsumeBatch(4, func(ctx handling, entries []entry) error {
			s := p.Stats()
			d.note("limit %d, held %d, leased %d", s.Limit.Limit, s.Limit.Held, s.Ledger.Leased)
			return note(ctx, entries)
		})
		mustEnd(t, p, script(100*ms, at(0, item{"busy", 1}), at(5*ms, five...)))
		d.check(t, "0s limit 1, held 1, leased 1", "0s [busy1]", "20ms limit 1, held 1, leased 4", "20ms [a1 b1 c1 d1]",
			"30ms limit 1, held 1, leased 1", "30ms [e1]")
		if got := p.Stats().Limit.Succeeded; got != 3 {
			t.Errorf("%d samples, want one a batch", got)
		}
	})
}

// A batch that failed at the drain deadline goes back as it was.
func TestBatchDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{DrainTimeout: 20 * ms, Attempts: 1})
		p.Produce(Producer[item]{Source: script(forever, at(0, five[:3]...))})
		p.ConsumeBatch(9, func(ctx handling, _ []entry) error { <-ctx.Done(); return ctx.Err() })
		var unfinished *UnfinishedError
		if err := p.Run(cancelAt(t, 10*ms)); !errors.As(err, &unfinished) || unfinished.Waiting != 3 {
			t.Errorf("got %v", err)
		}
		checkBalance(t, p)
	})
}

func TestBatchErrors(t *testing.T) {
	err := error(BatchErrors{nil, errBoom, context.Canceled})
	if got, want := err.Error(), "2 of 3 entries failed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, errBoom) || !errors.Is(err, context.Canceled) || errors.Is(err, errExited) {
		t.Error("does not wrap the errors of the entries")
	}
}

// A DeadLetter that ends the goroutine does so for its own entry only: no lease,
// permit or read of a batch stays open.
func TestBatchDeadLetterExits(t *testing.T) {
	for name, metronome := range map[string]metronome.Options{"unpaced": {}, "paced": every} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := Config[string, item]{Attempts: 1, Limit: governor.Fixed(1), Metronome: metronome, Reads: 1}
				if name == "paced" {
					c.Reads, c.Governor = 9, governor.Options{High: time.Second}
				}
				dead := 0
				c.DeadLetter = func(handling, entry, error) { dead++; runtime.Goexit() }
				p := mustNew(t, c)
				p.ConsumeBatch(9, func(handling, []entry) error { return errBoom })
				mustEnd(t, p, script(time.Second, at(0, five[:3]...), at(500*ms, five[:3]...)))
				s := p.Stats()
				if dead != 6 || s.Ledger.Dead != 6 || s.Ledger.Leased != 0 || s.Limit.Held != 0 || s.Governor.InFlight != 0 {
					t.Errorf("dead %d, held %d, in flight %d, ledger %+v", dead, s.Limit.Held, s.Governor.InFlight, s.Ledger)
				}
			})
		})
	}
}

// takenBack is a receipt that the source has revoked.
type takenBack struct{ slip }

func (takenBack) Revoked() bool { return true }

// What the source has taken back is in no batch, and no batch is empty.
func TestBatchRevoked(t *testing.T) {
	for name, c := range map[string]Config[string, item]{
		"unpaced": {Limit: governor.Fixed(1)},
		"paced":   {Limit: governor.Fixed(1), Metronome: every, Reads: 9},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, c)
				var batches []string
				p.ConsumeBatch(9, func(_ handling, entries []entry) error {
					keys := ""
					for _, e := range entries {
						keys += e.Key
					}
					batches = append(batches, keys)
					time.Sleep(30 * ms)
					return nil
				})
				gone := func(key string, when time.Duration) step {
					return step{at: when, item: item{key, 1}, receipt: takenBack{slip{d, key}}}
				}
				p.Produce(Producer[item]{Acknowledge: AckOnDone, Source: script(time.Second,
					at(0, item{"x", 1}), []step{gone("a", 15*ms)}, at(16*ms, item{"b", 1}), []step{gone("c", 17*ms)}, at(18*ms, item{"d", 1}),
					[]step{gone("e", 200*ms), gone("f", 201*ms)}, at(300*ms, item{"g", 1}))})
				if err := p.Run(t.Context()); err != nil {
					t.Error(err)
				}
				if want := []string{"x", "bd", "g"}; !slices.Equal(batches, want) {
					t.Errorf("batches %q, want %q", batches, want)
				}
				s := p.Stats()
				if s.Ledger.Revoked != 4 || s.Ledger.Done != 4 || s.Limit.Held != 0 {
					t.Errorf("held %d, ledger %+v", s.Limit.Held, s.Ledger)
				}
				d.check(t)
				checkBalance(t, p)
			})
		})
	}
}

// A paced drain ends with its last batch, not at a beat.
func TestBatchDrainPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{Metronome: every, DrainPaced: true, Reads: 2})
		p.ConsumeBatch(2, d.batches(24*ms))
		mustEnd(t, p, script(6*ms, at(5*ms, five[:3]...)))
		d.note("end")
		d.check(t, "10ms [a1 b1]", "34ms [c1]", "58ms end")
	})
}
