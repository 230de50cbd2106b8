package pipeline

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"
)

// dripping is a source that notes when it is opened and closed, and yields a
// value of a new key after each period. It closes when ctx does.
func (d *diary) dripping(period time.Duration) func(context.Context) iter.Seq2[item, error] {
	n := 0
	return func(ctx context.Context) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) {
			d.note("open")
			defer func() { d.note("close") }()
			for {
				select {
				case <-time.After(period):
				case <-ctx.Done():
					return
				}
				if n++; !yield(item{fmt.Sprint("k", n), n}, nil) {
					return
				}
			}
		}
	}
}

// direct makes a source that has the source's own context.
func direct(f func(context.Context) iter.Seq2[item, error]) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for v, err := range f(ctx) {
				if !yield(Delivery[item]{Value: v}, err) {
					return
				}
			}
		}
	}
}

// complaining makes a source that ends with the error of its context.
func complaining(f func(context.Context) iter.Seq2[item, error]) Source[item] {
	return direct(func(ctx context.Context) iter.Seq2[item, error] {
		return func(yield func(item, error) bool) {
			for v, err := range f(ctx) {
				if !yield(v, err) {
					return
				}
			}
			if ctx.Err() != nil {
				yield(item{}, fmt.Errorf("reading: %w", ctx.Err()))
			}
		}
	})
}

// The input is closed and opened at exact times, however the source learns it.
func TestIntermittentByTime(t *testing.T) {
	type sequence = func(context.Context) iter.Seq2[item, error]
	for name, make := range map[string]func(sequence) Source[item]{
		"source": direct, "FromFunc": FromFunc[item], "source with an error": complaining,
		"chain": func(s sequence) Source[item] {
			return Via(direct(s), func(in iter.Seq[item]) iter.Seq[item] { return in })
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				synctest.Test(t, func(t *testing.T) {
					d := newDiary()
					p := mustNew(t, Config[string, item]{})
					p.Produce(Producer[item]{Source: make(d.dripping(7 * ms)), Intermittent: Intermittent{On: 20 * ms, Off: 30 * ms}})
					p.Consume(d.reader(0))
					for _, after := range []time.Duration{10 * ms, 25 * ms, 60 * ms} {
						time.AfterFunc(after, func() { d.note("connected %d", p.Stats().Producers[0].Connected) })
					}
					if err := p.Run(cancelAt(t, 90*ms)); err != nil {
						t.Error(err)
					}
					d.note("end")
					d.check(t, "0s open", "7ms k11", "10ms connected 1", "14ms k22", "20ms close", "25ms connected 0",
						"50ms open", "57ms k33", "60ms connected 1", "64ms k44", "70ms close", "90ms end")
					if s := p.Stats().Producers[0]; s.Failures != 0 || s.Received != 4 {
						t.Errorf("producer %+v", s)
					}
				})
			}
		})
	}
}

// A source that does not look at its context is left at its next value.
func TestIntermittentDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		drip := d.dripping(15 * ms)
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{
			Source:       direct(func(context.Context) iter.Seq2[item, error] { return drip(context.Background()) }),
			Intermittent: Intermittent{On: 20 * ms, Off: 10 * ms},
		})
		p.Consume(func(_ handling, e entry) error { return nil })
		if err := p.Run(cancelAt(t, 35*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "0s open", "30ms close")
		if got := p.Stats().Producers[0].Admitted; got != 2 {
			t.Errorf("%d admitted, want 2", got)
		}
	})
}

// A source that ends by itself has no more to give.
func TestIntermittentEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(15*ms, at(5*ms, five[0])), Intermittent: Intermittent{On: 20 * ms, Off: 10 * ms}})
		p.Consume(d.reader(0))
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		d.note("end")
		d.check(t, "5ms a1", "15ms end")
	})
}

// Its own failure is one, though its time is over.
func TestIntermittentFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Intermittent: Intermittent{On: 20 * ms, Off: 10 * ms}, Source: direct(func(ctx context.Context) iter.Seq2[item, error] {
			return func(yield func(item, error) bool) {
				<-ctx.Done()
				yield(item{}, errBoom)
			}
		})})
		p.Consume(newDiary().reader(0))
		err := p.Run(t.Context())
		if want := `pipeline: producer "feed": boom`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	})
}

// The marks: closed when more than Above wait, opened when Below or fewer do.
func TestIntermittentByMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromFunc(d.dripping(ms)), Intermittent: Intermittent{Above: 3, Below: 1}})
		p.Consume(d.reader(10 * ms))
		time.AfterFunc(25*ms, func() {
			s := p.Stats()
			d.note("connected %d, %d wait", s.Producers[0].Connected, s.Ledger.Waiting)
		})
		if err := p.Run(cancelAt(t, 40*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "0s open", "1ms k11", "5ms close", "11ms k22", "21ms k33", "25ms connected 0, 2 wait", "31ms k44",
			"35ms open", "38ms close", "41ms k55", "51ms k66", "61ms k77", "71ms k88")
	})
}

// Both: the input is opened when its time has come and few wait.
func TestIntermittentByBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: FromFunc(d.dripping(ms)), Intermittent: Intermittent{On: 2500 * time.Microsecond, Off: 5 * ms, Above: 9}})
		p.Consume(func(_ handling, _ entry) error { time.Sleep(15 * ms); return nil })
		if err := p.Run(cancelAt(t, 18*ms)); err != nil {
			t.Error(err)
		}
		d.check(t, "0s open", "2.5ms close", "17.5ms open", "18ms close")
	})
}

// The stop finds a closed input closed, and does not wait for it.
func TestIntermittentStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, o := range []Intermittent{{On: 3 * ms, Off: time.Hour}, {Above: 1}} {
			d := newDiary()
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Source: direct(d.dripping(ms)), Intermittent: o})
			p.Consume(func(_ handling, _ entry) error { time.Sleep(100 * ms); return nil })
			if err := p.Run(cancelAt(t, 20*ms)); err != nil {
				t.Error(err)
			}
			d.check(t, "0s open", "3ms close")
		}
	})
}

func TestIntermittentErrors(t *testing.T) {
	for want, o := range map[string]Intermittent{
		"On and Off must both be positive or both be 0, got 1ms and 0s":     {On: ms},
		"On and Off must both be positive or both be 0, got 0s and 1ms":     {Off: ms},
		"On and Off must both be positive or both be 0, got -1ms and 1ms":   {On: -ms, Off: ms},
		"Above must be more than Below, and neither negative, got 3 and 3":  {Above: 3, Below: 3},
		"Above must be more than Below, and neither negative, got -1 and 0": {Above: -1},
		"Above must be more than Below, and neither negative, got 3 and -1": {Above: 3, Below: -1},
		"Below needs Above, which is 0":                                     {Below: 1},
	} {
		if err := o.validate(invalid); err == nil || err.Error() != "pipeline: invalid configuration: Intermittent: "+want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, o := range []Intermittent{{}, {On: ms, Off: ms}, {Above: 1}, {On: ms, Off: ms, Above: 2, Below: 1}} {
		if err := o.validate(invalid); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// An Intermittent producer lets go between deliveries, not in the midst of what
// a chain makes of one: that would be lost, and acknowledged.
func TestIntermittentMultiplied(t *testing.T) {
	for name, o := range map[string]Intermittent{"by marks": {Above: 1}, "by time": {On: 5 * ms, Off: ms}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				c := Config[string, item]{}
				if o.On > 0 {
					c.Cache.MaxEntries = 1
				}
				n := 0
				source := func(context.Context) iter.Seq2[Delivery[item], error] {
					return func(yield func(Delivery[item], error) bool) {
						for n < 2 {
							n++
							if !yield(Delivery[item]{Value: item{fmt.Sprint("k", n, "-"), 4}, Receipt: slip{newDiary(), ""}}, nil) {
								return
							}
						}
					}
				}
				p := mustNew(t, c)
				p.Produce(Producer[item]{Source: Via(source, copying), Intermittent: o})
				p.Consume(d.reader(10 * ms))
				if err := p.Run(t.Context()); err != nil {
					t.Error(err)
				}
				if r := p.Stats().Producers[0]; r.Admitted != 8 {
					t.Errorf("of 8 values: %+v", r)
				}
			})
		})
	}
}
