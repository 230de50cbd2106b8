package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"
)

// Runner measures cases.
type Runner struct {
	Runs  int           // at least 1
	About time.Duration // what a measurement should take
	// Patience is how long a measurement may take before its context ends; 0 for
	// no bound. One that does not heed its context is waited for once more as long,
	// then the run ends.
	Patience time.Duration
	// Progress is called before each measurement, and at the end, even an early
	// one; nil for none.
	Progress func(Step)
}

// Step is how far a Runner is.
type Step struct {
	Done, Total int // measurements
	Run, Runs   int
	Scenario    string // empty at the end
	Case, Side  string
}

// Run measures every side of every case once, then again, as often as Runs says.
// So what slows the machine for a minute meets a run of all cases rather than all
// runs of one. The order of the sides is another one in each run.
//
// A side that fails is not measured again; its result has the error, and the
// others go on. When ctx is cancelled, Run returns what has been measured and the
// error of ctx. A side that hangs cannot be stopped and would disturb the others,
// so then Run returns what has been measured and an ErrStuck that names it.
func (r Runner) Run(ctx context.Context, cases []Case) ([]Result, error) {
	results := make([]Result, len(cases))
	step := Step{Runs: r.Runs}
	for i, c := range cases {
		results[i] = newResult(c)
		step.Total += r.Runs * len(c.Sides)
	}
	err := r.measureAll(ctx, cases, results, &step)
	step.Run = min(step.Run, r.Runs)
	step.Scenario, step.Case, step.Side = "", "", ""
	r.report(step)
	return results, err
}

// measureAll measures the cases as often as Runs says. Its error is that of ctx,
// or an ErrStuck.
func (r Runner) measureAll(ctx context.Context, cases []Case, results []Result, step *Step) error {
	for step.Run = 1; step.Run <= r.Runs; step.Run++ {
		for i, c := range cases {
			if err := r.measureCase(ctx, c, &results[i], step); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureCase measures each side of a case once. Its error is that of ctx, or an
// ErrStuck.
func (r Runner) measureCase(ctx context.Context, c Case, result *Result, step *Step) error {
	if c.Release != nil {
		defer c.Release()
	}
	for place, i := range order(len(c.Sides), step.Run-1) {
		side := &result.Sides[i]
		step.Scenario, step.Case, step.Side = c.Scenario, c.Name, side.Name
		r.report(*step)
		if side.Error == "" {
			m, err := r.guarded(ctx, c, c.Sides[i])
			if errors.Is(err, ErrStuck) {
				side.Error = fmt.Sprintf("run %d: %v", step.Run, err)
				return fmt.Errorf("%s, %s, %s: %w", c.Scenario, c.Name, side.Name, err)
			}
			if ctx.Err() != nil {
				return ctx.Err() // the measurement was cut short, whatever it says
			}
			if err != nil {
				side.Error = fmt.Sprintf("run %d: %v", step.Run, err)
			} else {
				m.Run, m.Place = step.Run, place+1
				side.Measured = append(side.Measured, m)
			}
		}
		step.Done++
	}
	return nil
}

// ErrStuck is the error of a Run that ended because a side hung.
var ErrStuck = errors.New("it hangs")

// guarded is measure that does not wait forever.
func (r Runner) guarded(ctx context.Context, c Case, s Side) (Measurement, error) {
	if r.Patience <= 0 {
		return measure(ctx, c, s, r.About)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	type outcome struct {
		m   Measurement
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		m, err := measure(ctx, c, s, r.About)
		done <- outcome{m, err}
	}()
	select {
	case o := <-done:
		return o.m, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.m, o.err
	case <-time.After(r.Patience):
		return Measurement{}, ErrStuck
	}
}

// measure measures a side once, on a heap without the garbage of the one before.
func measure(ctx context.Context, c Case, s Side, about time.Duration) (m Measurement, err error) {
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	runtime.GC()
	start := time.Now()
	m.Sample, err = s.Measure(ctx, about)
	m.Seconds = time.Since(start).Seconds()
	if err != nil {
		return m, err
	}
	return m, c.check(m.Sample)
}

// check reports figures that are not such.
func (c Case) check(s Sample) error {
	if len(s) == 0 {
		return errors.New("it measured nothing")
	}
	for name, v := range s {
		switch {
		case !c.hasMetric(name):
			return fmt.Errorf("it measured the unknown metric %q", name)
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("its %s is %v", name, v)
		}
	}
	return nil
}

func (r Runner) report(s Step) {
	if r.Progress != nil {
		r.Progress(s)
	}
}

// order returns the order of n sides in a run: each run begins with the next
// side, and every other one goes backwards, so that no side always comes after
// the same one.
func order(n, run int) []int {
	o := make([]int, n)
	for i := range o {
		o[i] = (run + i) % n
	}
	if run%2 == 1 {
		slices.Reverse(o[1:])
	}
	return o
}
