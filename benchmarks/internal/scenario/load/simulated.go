package load

import (
	"errors"
	"math"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/scenario/load/sim"
)

var errIdle = errors.New("the simulated consumer did nothing")

// governedSample returns the figures of a consumer that a governor paces.
func governedSample(c sim.Consumer) (bench.Sample, error) {
	step, err := c.Governed()
	if err == nil && step.Rate == 0 {
		err = errIdle
	}
	if err != nil {
		return nil, err
	}
	s := bench.Sample{"rate": step.Rate, "p99": step.P99, "back at Base": step.Back}
	if c.Kind == sim.Pulling {
		off := func(divisor int) float64 { return math.Abs(float64(divisor)/c.Ideal() - 1) }
		s["divisor off"] = max(off(step.Lowest), off(step.Highest))
		return s, nil
	}
	stall, err := c.Stall()
	if err != nil {
		return nil, err
	}
	lost, err := c.LostLease()
	s["stall"], s["lost lease"] = float64(stall), lost
	return s, err
}

// bestFixedSample returns the figures of the best fixed divisor. There are none
// if no divisor has a p99 as low as the governor's.
func bestFixedSample(c sim.Consumer) (bench.Sample, error) {
	step, err := c.Governed()
	if err != nil {
		return nil, err
	}
	best, ok := c.BestFixed(step.P99)
	if !ok {
		return bench.Sample{}, nil
	}
	return bench.Sample{"rate": best.Rate, "p99": best.P99}, nil
}

func freeSample(c sim.Consumer) (bench.Sample, error) {
	step := c.Free()
	if step.Rate == 0 {
		return nil, errIdle
	}
	return bench.Sample{"rate": step.Rate, "p99": step.P99}, nil
}
