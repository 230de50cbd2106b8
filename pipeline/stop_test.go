package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

// cancelAt returns a context that is cancelled after d.
func cancelAt(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(d, cancel)
	return ctx
}

// The end of input drains without regard to the pace.
func TestStopEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, Governor: dividing(5)}
		mustRun(t, c, script(52*ms, at(5*ms, five[:4]...)), d.reader(ms))
		d.note("end")
		d.check(t, "50ms a1", "52ms b1", "53ms c1", "54ms d1", "55ms end")
	})
}

// What is drained was not released by a beat, so the governor learns nothing
// from it.
func TestStopTeachesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every, Governor: dividing(5)}
		c.Governor.Window = 1
		c.Governor.OnDecision = func(g governor.Decision) { t.Errorf("decision %v", g.Reason) }
		mustRun(t, c, script(5*ms, at(0, five[:2]...)), d.reader(ms))
		d.check(t, "5ms a1", "6ms b1")
	})
}

// A receipt that panics fails its producer, and does not hold up the stop.
func TestStopReceiptPanicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "bad", Source: script(forever, []step{{at: ms, item: five[0], receipt: bomb{}}})})
		p.Consume(d.reader(0))
		err := p.Run(t.Context())
		d.note("end %v", err)
		d.check(t, "1ms a1", `1ms end pipeline: producer "bad": panic: receipt`)
	})
}

// bomb is a receipt that cannot be settled.
type bomb struct{}

func (bomb) Ack() bool  { panic("receipt") }
func (bomb) Nack() bool { panic("receipt") }

// A cancellation drains in order. Handlers do not notice, and keep the values
// of the context.
func TestStopCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		type name struct{}
		ctx := context.WithValue(cancelAt(t, 10*ms), name{}, "value")
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(forever, at(5*ms, five[:3]...), at(11*ms, five[3]))})
		p.Consume(func(h handling, e entry) error {
			time.Sleep(20 * ms)
			d.note("%v %v %v", e.Value, h.Err(), h.Value(name{}))
			return nil
		})
		err := p.Run(ctx)
		d.note("end %v", err)
		d.check(t, "25ms a1 <nil> value", "45ms b1 <nil> value", "65ms c1 <nil> value", "65ms end <nil>")
		checkBalance(t, p)
		if r := p.Stats().Producers[0]; r.Received != 4 || r.Rejected != 1 {
			t.Errorf("producer %+v", r)
		}
	})
}

func TestStopCancelledBeforeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p := mustNew(t, Config[string, item]{Metronome: every})
		p.Produce(Producer[item]{Source: script(forever)})
		p.Consume(newDiary().reader(0))
		if err := p.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}

// The failure of a producer stops the others, and what waits is drained.
func TestStopProducerFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "good", Source: script(forever, at(5*ms, five[:3]...))})
		p.Produce(Producer[item]{Name: "bad", Source: script(forever, []step{{at: 10 * ms, err: errBoom, receipt: slip{d, "error"}}})})
		p.Consume(d.reader(20 * ms))
		err := p.Run(t.Context())
		d.note("%v", err)
		d.check(t, "5ms a1", "10ms nack error", "25ms b1", "45ms c1", `65ms pipeline: producer "bad": boom`)
		if !errors.Is(err, errBoom) {
			t.Errorf("%v does not wrap %v", err, errBoom)
		}
		checkBalance(t, p)
	})
}

func TestStopSourcePanicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "bad", Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(func(Delivery[item], error) bool) { panic(errBoom) }
		}})
		p.Produce(Producer[item]{Name: "good", Source: script(forever)})
		p.Consume(newDiary().reader(0))
		err := p.Run(t.Context())
		if err == nil || err.Error() != `pipeline: producer "bad": panic: boom` || !errors.Is(err, errBoom) {
			t.Errorf("got %v", err)
		}
	})
}

// At the deadline handlers are cancelled. What they had goes back, and is
// neither failed nor dead.
func TestStopDrainTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{
			DrainTimeout: 30 * ms, Attempts: 1,
			DeadLetter: func(_ handling, e entry, _ error) { t.Errorf("%v is dead", e.Value) },
		})
		p.Produce(Producer[item]{Source: script(forever, at(5*ms, five[:3]...))})
		p.Consume(func(ctx handling, e entry) error {
			d.note("%v", e.Value)
			<-ctx.Done()
			return ctx.Err()
		})
		err := p.Run(cancelAt(t, 10*ms))
		d.note("%v", err)
		d.check(t, "5ms a1", "40ms pipeline: entries left behind: 3 waiting, 0 in handlers")
		var unfinished *UnfinishedError
		if !errors.As(err, &unfinished) || *unfinished != (UnfinishedError{Waiting: 3}) {
			t.Errorf("got %#v", err)
		}
		var waiting []string
		for e := range p.Waiting() {
			waiting = append(waiting, fmt.Sprint(e.Value, e.Attempts))
		}
		if want := []string{"a1 1", "b1 0", "c1 0"}; !slices.Equal(waiting, want) {
			t.Errorf("left waiting %q, want %q", waiting, want)
		}
		if s := p.Stats(); s.Ledger.Dead != 0 || s.FailedAttempts != 0 {
			t.Errorf("dead %d, failed %d", s.Ledger.Dead, s.FailedAttempts)
		}
		checkBalance(t, p)
	})
}

// A drain at the end of input takes as long as it takes, until ctx ends.
func TestStopCancelledDuringDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{DrainTimeout: 30 * ms})
		p.Produce(Producer[item]{Source: script(0, at(0, five...))})
		p.Consume(d.reader(time.Minute))
		err := p.Run(cancelAt(t, 2*time.Minute+time.Second))
		d.note("%v", err)
		// The handler at work does not look at its context.
		d.check(t, "0s a1", "1m0s b1", "2m0s c1",
			"2m6.03s pipeline: left behind after the grace period: worker 1\npipeline: entries left behind: 2 waiting, 1 in handlers")
		time.Sleep(time.Minute) // it returns in the end
	})
}

// Handlers and sources that do not return are named. Each kind has the grace
// period after its cancellation.
func TestStopGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		release := make(chan struct{})
		defer close(release)
		p := mustNew(t, Config[string, item]{Workers: 2, DrainTimeout: 30 * ms, Grace: 5 * ms})
		p.Produce(Producer[item]{Name: "stuck", Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				yield(Delivery[item]{Value: five[0]}, nil)
				<-release
			}
		}})
		p.Produce(Producer[item]{Name: "obedient", Source: script(forever)})
		p.Consume(func(handling, entry) error { <-release; return nil })
		err := p.Run(cancelAt(t, 10*ms))
		d.note("%v", err)
		var stuck *StuckError
		if !errors.As(err, &stuck) || len(stuck.Names) != 2 || stuck.Names[1] != `producer "stuck"` {
			t.Fatalf("got %v", err)
		}
		d.check(t, fmt.Sprintf("50ms pipeline: left behind after the grace period: %s, producer \"stuck\"\n"+
			"pipeline: entries left behind: 0 waiting, 1 in handlers", stuck.Names[0]))
	})
}

// A producer that waits for room when the run stops still gets it.
func TestStopAdmitsValueInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var c Config[string, item]
		c.Cache.MaxEntries = 1
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: script(forever, []step{
			{item: five[0], receipt: slip{d, "a"}},
			{item: five[1], receipt: slip{d, "b"}},
			{item: five[2], receipt: slip{d, "c"}},
			{item: five[3], receipt: slip{d, "d"}},
		})})
		p.Consume(d.reader(20 * ms))
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		slices.Sort(d.lines[:3]) // one instant
		slices.Sort(d.lines[3:5])
		d.check(t, "0s a1", "0s ack a", "0s ack b", "20ms ack c", "20ms b1", "40ms c1", "60ms nack d", "60ms end <nil>")
		checkBalance(t, p)
	})
}

// After the deadline nothing is admitted any more.
func TestStopRejectsValueInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{DrainTimeout: 30 * ms}
		c.Cache.MaxEntries = 1
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: script(forever, at(0, five[:2]...), []step{{item: five[2], receipt: slip{d, "c"}}})})
		p.Consume(func(ctx handling, e entry) error {
			<-ctx.Done()
			return ctx.Err()
		})
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		d.check(t, "40ms nack c", "40ms end pipeline: entries left behind: 2 waiting, 0 in handlers")
		checkBalance(t, p)
	})
}

// What a source yields after the stop is refused when all else is settled.
func TestStopParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, parked := range []step{
			{at: 15 * ms, item: five[1], receipt: nil},
			{at: 15 * ms, err: fmt.Errorf("bad: %w", ErrInvalid)},
		} {
			d := newDiary()
			parked.receipt = slip{d, "parked"}
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: script(forever, at(5*ms, five[0]), []step{parked}, at(16*ms, five[2]))})
			p.Consume(func(handling, entry) error {
				time.Sleep(50 * ms)
				d.note("done")
				return nil
			})
			err := p.Run(cancelAt(t, 10*ms))
			d.note("end %v", err)
			d.check(t, "55ms done", "55ms nack parked", "55ms end <nil>")
			checkBalance(t, p)
		}
	})
}

func TestUnfinishedError(t *testing.T) {
	for want, err := range map[string]error{
		"pipeline: entries left behind: 3 waiting, 0 in handlers":                 &UnfinishedError{Waiting: 3},
		"pipeline: entries left behind: 3 waiting, 1 in handlers":                 &UnfinishedError{Waiting: 3, Leased: 1},
		`pipeline: left behind after the grace period: producer "feed", worker 2`: &StuckError{[]string{`producer "feed"`, "worker 2"}},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
