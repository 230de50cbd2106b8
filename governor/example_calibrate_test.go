package governor_test

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

// A test run without a pace took 20 ms for most entries and 100 ms for a few.
// Four workers are to be busy for 70 % of the time.
func ExampleCalibrate() {
	run := make(governor.Durations, 2000)
	for i := range run {
		run[i] = 20 * time.Millisecond
		if i%20 == 0 {
			run[i] = 100 * time.Millisecond
		}
	}
	fmt.Println("mean", run.Mean(), "median", run.Quantile(0.5), "p99.9", run.Quantile(0.999))

	c, err := governor.Calibrate(run, 4, 0.7)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f entries a second\n", c.Rate)
	_, err = governor.New(c.Interval, false, governor.Options{High: c.High, Base: c.Base})
	fmt.Println("interval", c.Interval.Round(time.Microsecond), "base", c.Base, "high", c.High, err)
	// Output:
	// mean 24ms median 20ms p99.9 100ms
	// 116.7 entries a second
	// interval 1.071ms base 8 high 200ms <nil>
}

// constant is a run in which everything took the same time.
type constant time.Duration

func (c constant) Mean() time.Duration            { return time.Duration(c) }
func (c constant) Quantile(float64) time.Duration { return time.Duration(c) }

// Anything with a mean and quantiles can be calibrated from.
func ExampleLatencies() {
	var run governor.Latencies = constant(7 * time.Millisecond)
	c, err := governor.Calibrate(run, 1, 0.7)
	fmt.Printf("%+v %v\n", c, err)
	_, err = governor.Calibrate(run, 1, 7)
	fmt.Println(err)
	// Output:
	// {High:70ms Base:10 Interval:1ms Rate:100} <nil>
	// governor: invalid options: load must be above 0 and at most 1, got 7
}

// A Calibration is a proposal, to be looked at before it is used.
func ExampleCalibration() {
	c, _ := governor.Calibrate(constant(30*time.Millisecond), 3, 0.5)
	fmt.Println("a pass each", time.Duration(c.Base)*c.Interval, "slow above", c.High)
	// Output: a pass each 20ms slow above 300ms
}
