package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// flaky is a source that notes when it is opened, yields a value of a key of
// its own if gives says so, and fails.
func (d *diary) flaky(gives func(opened int) bool, fail func() error) Source[item] {
	opened := 0
	return func(context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			d.note("open")
			opened++
			if gives(opened) && !yield(Delivery[item]{Value: item{fmt.Sprint(opened), 0}}, nil) {
				return
			}
			yield(Delivery[item]{}, fail())
		}
	}
}

func never(int) bool  { return false }
func always(int) bool { return true }
func boom() error     { return errBoom }

// gaps returns the times between the notes.
func (d *diary) gaps() (gaps []time.Duration) {
	var last time.Duration
	for i, line := range d.lines {
		at, _ := time.ParseDuration(strings.Fields(line)[0])
		if i > 0 {
			gaps = append(gaps, at-last)
		}
		last = at
	}
	return gaps
}

// A failed source is started again after a back-off, of which up to half is
// taken off at random. It starts anew after a success.
func TestRestart(t *testing.T) {
	tests := []struct {
		name  string
		gives func(int) bool
		fail  func() error
		want  []time.Duration // back-offs
	}{
		{"doubling to Max", never, boom, []time.Duration{10, 20, 40, 60, 60}},
		{"after panics", never, func() error { panic("oops") }, []time.Duration{10, 20, 40, 60, 60}},
		{"anew after each success", always, boom, []time.Duration{10, 10, 10, 10, 10}},
		{"anew after one", func(n int) bool { return n == 3 }, boom, []time.Duration{10, 20, 10, 20, 40}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var jitter []time.Duration
			for range 10 {
				synctest.Test(t, func(t *testing.T) {
					d := newDiary()
					var j journal
					p := mustNew(t, Config[string, item]{Logger: j.logger()})
					p.Produce(Producer[item]{
						Name: "feed", Source: d.flaky(test.gives, test.fail),
						OnFailure: Restart, RestartBackoff: Backoff{First: 10 * ms, Max: 60 * ms},
					})
					p.Consume(func(handling, entry) error { return nil })
					if err := p.Run(cancelAt(t, 400*ms)); err != nil {
						t.Error(err)
					}
					gaps := d.gaps()
					for i, want := range test.want {
						if gap := gaps[i]; gap < want*ms/2 || gap > want*ms {
							t.Errorf("back-off %d took %v, want from %v to %v", i+1, gap, want*ms/2, want*ms)
						}
					}
					jitter = append(jitter, gaps[0])
					s := p.Stats().Producers[0]
					if n := uint64(len(d.lines)); s.Failures != n || s.Restarts != n-1 || s.Connected != 0 {
						t.Errorf("%d starts, producer %+v", n, s)
					}
					backoff := float64(gaps[0]) / float64(ms)
					if want := fmt.Sprintf("warn source restarts backoff=%v error=", backoff); !slices.ContainsFunc(j.lines(t), func(l string) bool { return strings.HasPrefix(l, want) }) {
						t.Errorf("events %q, want %q", j.lines(t), want)
					}
				})
			}
			if slices.Min(jitter) == slices.Max(jitter) {
				t.Error("there is no random part")
			}
		})
	}
}

// A restarted source that ends is the end of input.
func TestRestartEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var tries int
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{OnFailure: Restart, Source: func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				if tries++; tries < 3 {
					yield(Delivery[item]{Receipt: slip{d, "error"}}, errBoom)
					return
				}
				yield(Delivery[item]{Value: five[0]}, nil)
			}
		}})
		p.Consume(func(_ handling, e entry) error { return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		if s := p.Stats().Producers[0]; s.Failures != 2 || s.Restarts != 2 || s.Admitted != 1 || len(d.lines) != 2 {
			t.Errorf("producer %+v, receipts %q", s, d.lines)
		}
	})
}

// A stop ends a back-off, and is no failure.
func TestRestartStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: d.flaky(never, boom), OnFailure: Restart, RestartBackoff: Backoff{First: time.Hour}})
		p.Consume(d.reader(0))
		err := p.Run(cancelAt(t, 10*ms))
		d.note("end %v", err)
		d.check(t, "0s open", "10ms end <nil>")
	})
}

// oneOf is a source that is another one each time it is opened.
func oneOf(turns <-chan Source[item]) Source[item] {
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] { return (<-turns)(ctx) }
}

// Of parallel sources each has its own back-off.
func TestRestartParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		good := script(forever, func() (steps []step) {
			for n := range 1000 {
				steps = append(steps, at(time.Duration(n)*ms, item{fmt.Sprint(n), 0})...)
			}
			return steps
		}())
		bad := d.flaky(never, boom)
		turns := make(chan Source[item], 100)
		turns <- good
		for range cap(turns) - 1 {
			turns <- bad
		}
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{
			Parallel: 2, Partitioned: true, OnFailure: Restart, RestartBackoff: Backoff{First: 10 * ms, Max: time.Second},
			Source: oneOf(turns),
		})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(cancelAt(t, 500*ms)); err != nil {
			t.Error(err)
		}
		for i, gap := range d.gaps() {
			if want := 10 * ms << i; gap < want/2 || gap > want {
				t.Errorf("back-off %d took %v, want from %v to %v", i+1, gap, want/2, want)
			}
		}
	})
}

// Without a failed source the others go on. When all are gone that is the end
// of input.
func TestCarryOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		var j journal
		p := mustNew(t, Config[string, item]{Logger: j.logger()})
		p.Produce(Producer[item]{Name: "bad", Source: script(forever, []step{{at: ms, err: errBoom}}), OnFailure: CarryOn})
		p.Produce(Producer[item]{Name: "worse", Source: script(forever, at(7*ms, five[1]), []step{{at: 8 * ms, err: errBoom}}), OnFailure: CarryOn})
		p.Produce(Producer[item]{Name: "good", Source: script(30*ms, at(5*ms, five[0]), at(20*ms, five[2]))})
		p.Consume(d.reader(0))
		err := p.Run(t.Context())
		d.note("end %v", err)
		d.check(t, "5ms a1", "7ms b1", "20ms c1", "30ms end <nil>")
		for i, want := range []ProducerStats{
			{Name: "bad", Failures: 1}, {Name: "worse", Failures: 1, Received: 1, Admitted: 1}, {Name: "good", Received: 2, Admitted: 2},
		} {
			if got := p.Stats().Producers[i]; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
		want := []string{"warn source failed error=boom pipeline=pipeline producer=bad", "warn source failed error=boom pipeline=pipeline producer=worse"}
		if got := j.lines(t)[1:3]; !slices.Equal(got, want) {
			t.Errorf("events\n\t%q\nwant\n\t%q", got, want)
		}
	})
}

// A failure in the middle of the stop is told. That a source was cancelled is
// none.
func TestFailureDuringStop(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"failure", errBoom, `pipeline: producer "feed": boom`},
		{"cancelled", fmt.Errorf("read: %w", context.Canceled), ""},
	} {
		for _, onFailure := range []Failure{StopAll, Restart, CarryOn} {
			t.Run(test.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newDiary()
					p := mustNew(t, Config[string, item]{})
					p.Produce(Producer[item]{Name: "feed", OnFailure: onFailure, Source: script(forever, at(0, five[:2]...), []step{{at: 15 * ms, err: test.err}})})
					p.Consume(d.reader(20 * ms))
					err := p.Run(cancelAt(t, 10*ms))
					if got := fmt.Sprint(err); (err != nil || test.want != "") && got != test.want {
						t.Errorf("got %q, want %q", got, test.want)
					}
					d.check(t, "0s a1", "20ms b1")
					checkBalance(t, p)
				})
			})
		}
	}
}

// The first failure comes first, and those that follow are told too.
func TestFailuresJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := errors.New("late")
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "one", Source: script(forever, at(0, five[0]), []step{{at: ms, err: errBoom}})})
		p.Produce(Producer[item]{Name: "two", Source: script(forever, []step{{at: 2 * ms, err: late}})})
		p.Consume(newDiary().reader(9 * ms))
		err := p.Run(t.Context())
		want := "pipeline: producer \"one\": boom\npipeline: producer \"two\": late"
		if err == nil || err.Error() != want || !errors.Is(err, late) || !errors.Is(err, errBoom) {
			t.Errorf("got %q, want %q", err, want)
		}
	})
}

// A source that ends its goroutine fails, and is not run again.
func TestFailureExit(t *testing.T) {
	for _, onFailure := range []Failure{StopAll, Restart, CarryOn} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary()
			p := mustNew(t, Config[string, item]{})
			p.Produce(Producer[item]{Name: "bad", OnFailure: onFailure, Source: func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					d.note("open")
					yield(Delivery[item]{Value: five[0]}, nil)
					time.Sleep(ms)
					runtime.Goexit()
				}
			}})
			p.Produce(Producer[item]{Name: "good", Source: script(forever)})
			p.Consume(d.reader(0))
			err := p.Run(t.Context())
			d.note("end %v", err)
			d.check(t, "0s open", "0s a1", `1ms end pipeline: producer "bad": `+errExited.Error())
			checkBalance(t, p)
		})
	}
}
