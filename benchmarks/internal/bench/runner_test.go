package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// constant is a Measure that always says the same.
func constant(put float64) func(context.Context, time.Duration) (Sample, error) {
	return func(context.Context, time.Duration) (Sample, error) {
		return Sample{"put": put}, nil
	}
}

// fake is a case of two sides, a and b, of which b takes twice as long.
func fake(name string) Case {
	return Case{
		Scenario: "fake",
		Name:     name,
		Metrics:  []Metric{{Name: "put", Unit: "ns/op", Less: true}},
		Sides:    []Side{{"a", constant(10)}, {"b", constant(20)}},
	}
}

// TestRunnerTakesTurns checks that each run has every side of every case once,
// and begins with another one.
func TestRunnerTakesTurns(t *testing.T) {
	var got []string
	cases := []Case{fake("one"), fake("two")}
	for i := range cases {
		cases[i].Sides = append(cases[i].Sides, Side{"c", constant(30)})
		for j := range cases[i].Sides {
			side := &cases[i].Sides[j]
			call := cases[i].Name + " " + side.Name
			side.Measure = func(_ context.Context, about time.Duration) (Sample, error) {
				got = append(got, call)
				return Sample{"put": about.Seconds()}, nil
			}
		}
	}
	results, err := Runner{Runs: 3, About: time.Second}.Run(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split("one a,one b,one c,two a,two b,two c,"+
		"one b,one a,one c,two b,two a,two c,"+
		"one c,one a,one b,two c,two a,two b", ",")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	side := results[1].Side("c")
	var order []string
	for _, m := range side.Measured {
		order = append(order, fmt.Sprint(m.Run, m.Place))
	}
	if want := []string{"1 3", "2 3", "3 1"}; !slices.Equal(order, want) {
		t.Errorf("runs and places of c: got %q, want %q", order, want)
	}
	if got := side.Figures("put"); !slices.Equal(got, []float64{1, 1, 1}) {
		t.Errorf("figures: got %v", got)
	}
}

// TestOrder checks that every side begins equally often, and that two sides
// follow each other both ways round.
func TestOrder(t *testing.T) {
	for n := 1; n <= 5; n++ {
		first := make([]int, n)
		for run := range 2 * n {
			o := order(n, run)
			first[o[0]]++
			if sorted := slices.Sorted(slices.Values(o)); sorted[0] != 0 || sorted[n-1] != n-1 || len(slices.Compact(sorted)) != n {
				t.Errorf("run %d of %d sides: %v", run, n, o)
			}
		}
		for side, times := range first {
			if times != 2 {
				t.Errorf("of %d sides, %d is the first in %d runs of %d", n, side, times, 2*n)
			}
		}
	}
}

// TestRunnerFailure checks that a side that fails is left alone, and that the
// others go on.
func TestRunnerFailure(t *testing.T) {
	for want, measure := range map[string]func() (Sample, error){
		"run 2: lost 3":                             func() (Sample, error) { return nil, errors.New("lost 3") },
		"run 2: panic: oh":                          func() (Sample, error) { panic("oh") },
		"run 2: it measured nothing":                func() (Sample, error) { return nil, nil },
		`run 2: it measured the unknown metric "x"`: func() (Sample, error) { return Sample{"x": 1}, nil },
		"run 2: its put is NaN":                     func() (Sample, error) { return Sample{"put": math.NaN()}, nil },
	} {
		calls := 0
		c := fake("one")
		c.Sides[1].Measure = func(context.Context, time.Duration) (Sample, error) {
			if calls++; calls == 2 {
				return measure()
			}
			return Sample{"put": 20}, nil
		}
		results, err := Runner{Runs: 4}.Run(t.Context(), []Case{c})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Side("b").Error; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if calls != 2 {
			t.Errorf("%s: measured %d times, want 2", want, calls)
		}
		if n := len(results[0].Side("a").Measured); n != 4 {
			t.Errorf("%s: the other side was measured %d times, want 4", want, n)
		}
	}
}

// TestRunnerCancelled checks that what was measured before stays.
func TestRunnerCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := fake("one")
	calls := 0
	c.Sides[1].Measure = func(ctx context.Context, _ time.Duration) (Sample, error) {
		if calls++; calls == 2 {
			cancel()
			return nil, ctx.Err()
		}
		return Sample{"put": 20}, nil
	}
	var last Step
	r := Runner{Runs: 3, Progress: func(s Step) { last = s }}
	results, err := r.Run(ctx, []Case{c, fake("two")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
	a, b := results[0].Side("a"), results[0].Side("b")
	// b begins the second run, so a has one measurement too.
	if len(a.Measured) != 1 || len(b.Measured) != 1 || b.Error != "" {
		t.Errorf("got a %+v, b %+v", a, b)
	}
	if want := (Step{Done: 4, Total: 12, Run: 2, Runs: 3}); last != want {
		t.Errorf("last step: got %+v, want %+v", last, want)
	}
}

// TestRunnerStuck checks that a side which hangs ends the run, and one that heeds
// its context is only slow.
func TestRunnerStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		slow, stuck := fake("slow"), fake("stuck")
		slow.Sides[1].Measure = func(ctx context.Context, _ time.Duration) (Sample, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		stuck.Sides[1].Measure = func(context.Context, time.Duration) (Sample, error) {
			<-release
			return nil, nil
		}
		start := time.Now()
		results, err := Runner{Runs: 2, Patience: time.Minute}.Run(t.Context(), []Case{slow, stuck})
		if !errors.Is(err, ErrStuck) || err.Error() != "fake, stuck, b: it hangs" {
			t.Errorf("got error %v", err)
		}
		if got := time.Since(start); got != 3*time.Minute {
			t.Errorf("it took %v, want a minute for the slow side and two for the stuck one", got)
		}
		if got := results[0].Side("b").Error; got != "run 1: context deadline exceeded" {
			t.Errorf("the slow side: %q", got)
		}
		if got := results[1].Side("b").Error; got != "run 1: it hangs" {
			t.Errorf("the stuck side: %q", got)
		}
		if n := len(results[1].Side("a").Measured); n != 1 {
			t.Errorf("the side before was measured %d times, want 1", n)
		}
		close(release)
	})
}

func TestRunnerProgress(t *testing.T) {
	var got []string
	r := Runner{Runs: 2, Progress: func(s Step) {
		got = append(got, fmt.Sprintf("%d/%d %d/%d %s", s.Done, s.Total, s.Run, s.Runs, s.Side))
	}}
	if _, err := r.Run(t.Context(), []Case{fake("one")}); err != nil {
		t.Fatal(err)
	}
	want := []string{"0/4 1/2 a", "1/4 1/2 b", "2/4 2/2 b", "3/4 2/2 a", "4/4 2/2 "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
