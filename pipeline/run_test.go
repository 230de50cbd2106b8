package pipeline

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"
)

// Of several failures Run returns the first. The other producers stop.
func TestRunFirstFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "second", Source: script(forever, []step{{at: 2 * ms, err: errors.New("late")}})})
		p.Produce(Producer[item]{Name: "first", Source: script(forever, []step{{at: ms, err: errBoom}})})
		p.Consume(newDiary().reader(0))
		err := p.Run(t.Context())
		if want := `pipeline: producer "first": boom`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	})
}

// A failure that is also the end of the last source is a failure, whichever of
// the two is seen first.
func TestUntilStopFailureAtTheEnd(t *testing.T) {
	for range 100 {
		r := newRun(t.Context(), mustNew(t, Config[string, item]{}))
		r.failures = make(chan error, 1)
		r.failures <- errBoom
		r.producing.start() // of nobody: has ended at once
		if why, failure := r.untilStop(); failure != errBoom || why != failed {
			t.Fatalf("got %v, %q", failure, why)
		}
		r.cancelTakes()
		r.cancelHandlers()
		r.cancelSources()
	}
}

// A source that ends leaves the others alone.
func TestRunUntilAllSourcesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(5*ms, at(0, five[0]))})
		p.Produce(Producer[item]{Source: script(30*ms, at(20*ms, five[1]))})
		p.Consume(d.reader(0))
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.note("end")
		d.check(t, "0s a1", "20ms b1", "30ms end")
	})
}

// What a failed drain leaves behind is told besides the failure.
func TestRunJoinsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{DrainTimeout: 10 * ms})
		p.Produce(Producer[item]{Name: "feed", Source: script(forever, at(0, five[:2]...), []step{{at: ms, err: errBoom}})})
		p.Consume(func(ctx handling, _ entry) error { <-ctx.Done(); return ctx.Err() })
		err := p.Run(t.Context())
		var unfinished *UnfinishedError
		if !errors.Is(err, errBoom) || !errors.As(err, &unfinished) || unfinished.Waiting != 2 {
			t.Errorf("got %v", err)
		}
	})
}

// An idle pipeline sets no timer: in a bubble an hour passes in one step.
func TestRunIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		began := time.Now()
		c := Config[string, item]{Metronome: every}
		c.Metronome.Interval = time.Nanosecond // would take for ever to tick through
		mustRun(t, c, script(time.Hour, at(time.Hour-1, five[0])), d.reader(0))
		if got := time.Since(began); got != time.Hour {
			t.Errorf("took %v, want an hour", got)
		}
	})
}

// A source that has the context of Run itself, and ends with its error, is
// cancelled and has not failed.
func TestRunSourceOfItsContext(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			ctx := cancelAt(t, 10*ms)
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					<-ctx.Done()
					yield(Delivery[item]{}, ctx.Err())
				}
			}})
			p.Consume(newDiary().reader(0))
			if err := p.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}
