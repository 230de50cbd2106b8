package governor

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func newLimiter(t testing.TB, o LimiterOptions) *Limiter {
	t.Helper()
	l, err := NewLimiter(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// scripted is a limit that each sample sets to the next of its values.
type scripted []int

func (s scripted) Start(int) (Algorithm, error) { return &script{left: s}, nil }

type script struct {
	left    []int
	samples []Sample
}

func (s *script) Limit() int { return s.left[0] }

func (s *script) Reading() Reading { return Reading{} }

func (s *script) Observe(sample Sample) int {
	s.samples = append(s.samples, sample)
	if len(s.left) > 1 {
		s.left = s.left[1:]
	}
	return s.left[0]
}

// samples returns what the limiter has told a scripted limit.
func samplesOf(l *Limiter) []Sample { return l.algorithm.(*script).samples }

func acquired(t testing.TB, l *Limiter) Token {
	t.Helper()
	token, ok := l.TryAcquire()
	if !ok {
		t.Fatal("no permit")
	}
	return token
}

func TestNewLimiter(t *testing.T) {
	for field, o := range map[string]LimiterOptions{
		"Ceiling":          {Ceiling: -1},
		"Gradient2.Max":    {Limit: &Gradient2{Min: 5, Max: 4}},
		"Windowed.Samples": {Limit: &Windowed{Samples: -1}},
		"Fixed":            {Limit: Fixed(0)},
	} {
		if _, err := NewLimiter(o); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: got %v", field, err)
		}
	}
	l := newLimiter(t, LimiterOptions{})
	if w, ok := l.algorithm.(*windows); !ok || l.Stats().Limit != 20 {
		t.Errorf("by default: %T, limit %d; want windows, 20", w, l.Stats().Limit)
	}
	if got := newLimiter(t, LimiterOptions{Ceiling: 4}).Stats().Limit; got != 4 {
		t.Errorf("limit %d under a ceiling of 4", got)
	}
}

func TestLimiterRefusesAtTheLimit(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: Fixed(2)})
	a := acquired(t, l)
	acquired(t, l)
	if _, ok := l.TryAcquire(); ok {
		t.Error("a third permit of two")
	}
	a.Success()
	acquired(t, l)
}

// An algorithm that says 0 must not end all trying.
func TestLimiterLeavesOnePermit(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: scripted{0, -5}})
	acquired(t, l).Success()
	acquired(t, l).Success()
	if got := l.Stats().Limit; got != 1 {
		t.Errorf("limit %d, want 1", got)
	}
}

func TestLimiterMeasures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{10}})
		time.Sleep(time.Second)
		a := acquired(t, l)
		b := acquired(t, l)
		time.Sleep(30 * ms)
		b.Dropped()
		acquired(t, l).Ignore()
		time.Sleep(70 * ms)
		a.Success()
		got := samplesOf(l)
		want := []Sample{
			{At: time.Second + 30*ms, RTT: 30 * ms, InFlight: 2, Dropped: true},
			{At: time.Second + 100*ms, RTT: 100 * ms, InFlight: 1},
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}

func TestLimiterDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errBusy := errors.New("busy")
		l := newLimiter(t, LimiterOptions{Limit: scripted{1}, Errors: func(error) Outcome { return Dropped }})
		plain := newLimiter(t, LimiterOptions{Limit: scripted{1}})
		timeout := func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, 5*ms)
			defer cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		for _, f := range []func(context.Context) error{
			func(context.Context) error { return nil },
			func(context.Context) error { return errBusy },
			timeout,
		} {
			if a, b := l.Do(t.Context(), f), plain.Do(t.Context(), f); a != b {
				t.Errorf("got %v and %v", a, b)
			}
		}
		if s := l.Stats(); s.Succeeded != 1 || s.Ignored != 0 || s.Dropped != 2 {
			t.Errorf("errors dropped: %+v", s)
		}
		if s := plain.Stats(); s.Succeeded != 1 || s.Ignored != 1 || s.Dropped != 1 {
			t.Errorf("errors ignored: %+v", s)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Do(ctx, func(context.Context) error { panic("called") }); err != context.Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestLimiterDoPanics(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: scripted{1}})
	func() {
		defer func() {
			if got := recover(); got != "oops" {
				t.Errorf("recovered %v", got)
			}
		}()
		l.Do(t.Context(), func(context.Context) error { panic("oops") })
	}()
	if s := l.Stats(); s.Dropped != 1 || s.Held != 0 || !samplesOf(l)[0].Dropped {
		t.Errorf("%+v", s)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.Do(t.Context(), func(context.Context) error { runtime.Goexit(); return nil })
	}()
	<-done
	if s := l.Stats(); s.Dropped != 2 || s.Held != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLimiterReports(t *testing.T) {
	var changes [][2]int
	var l *Limiter
	l = newLimiter(t, LimiterOptions{Limit: scripted{3, 3, 4, 2, 2, 5}, OnLimit: func(from, to int) {
		changes = append(changes, [2]int{from, to})
		if got := l.Stats().Limit; got != to { // must not deadlock
			t.Errorf("limit %d in the report of %d", got, to)
		}
	}})
	for range 6 {
		acquired(t, l).Success()
	}
	if want := [][2]int{{3, 4}, {4, 2}, {2, 5}}; !slices.Equal(changes, want) {
		t.Errorf("changes %v, want %v", changes, want)
	}
}

// A panic in the user's queue function reaches the caller and loses nothing.
func TestLimiterSurvivesAPanicOfTheQueueFunction(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: &Gradient2{Initial: 1, QueueFunc: func(int) int { panic("oops") }}})
	for range 3 {
		token := acquired(t, l)
		func() {
			defer func() {
				if got := recover(); got != "oops" {
					t.Errorf("recovered %v", got)
				}
			}()
			token.Success()
		}()
	}
	if s := l.Stats(); s.Held != 0 || s.InFlight != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLimiterAllocatesNothing(t *testing.T) {
	l := newLimiter(t, LimiterOptions{})
	if got := testing.AllocsPerRun(1000, func() { acquired(t, l).Success() }); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func BenchmarkLimiter(b *testing.B) {
	for name, limit := range map[string]Limit{"fixed": Fixed(20), "gradient2": &Gradient2{}, "windowed": nil} {
		b.Run(name, func(b *testing.B) {
			l := newLimiter(b, LimiterOptions{Limit: limit})
			b.ReportAllocs()
			for b.Loop() {
				t, _ := l.TryAcquire()
				t.Success()
			}
		})
	}
}
