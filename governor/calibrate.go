package governor

import (
	"math"
	"slices"
	"time"
)

// Latencies is what was measured of an unstressed run: the time from the lease
// of an entry to its end, while entries never wait for a worker. The Histogram
// of a pipeline's Stats.Service is one; [Durations] is another.
type Latencies interface {
	// Mean returns the mean, 0 when nothing was measured.
	Mean() time.Duration
	// Quantile returns the latency that the share q of all are at or below.
	Quantile(q float64) time.Duration
}

// Durations are Latencies that were measured one by one. Quantile sorts a copy.
type Durations []time.Duration

// Mean implements Latencies.
func (d Durations) Mean() time.Duration {
	if len(d) == 0 {
		return 0
	}
	sum := time.Duration(0)
	for _, one := range d {
		sum += one
	}
	return sum / time.Duration(len(d))
}

// Quantile implements Latencies, by nearest rank. It returns 0 when nothing was
// measured.
func (d Durations) Quantile(q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return nearestRank(slices.Clone(d), min(max(q, 0), 1))
}

// Calibration is a proposal for the options of a governor and its metronome.
type Calibration struct {
	High     time.Duration // Options.High
	Base     int           // Options.Base
	Interval time.Duration // of the metronome
	Rate     float64       // entries a second at Base, with Reads 1
}

// medians is High in medians of the unstressed service; finest is the shortest
// beat that a timer keeps to, roughly.
const (
	medians = 10
	finest  = time.Millisecond
)

// Calibrate proposes options from the latencies of an unstressed run. load is
// the share of the capacity of so many workers (or of an asynchronous consumer's
// Parallel) that the normal pace is to use, above 0 and up to 1; the figures of
// the package documentation are for 0.7 and less. With the mean service m,
//
//	High     = max(10 * median, p99.9)
//	Rate     = load * workers / m
//	Interval = 1 / (Rate * Base)
//
// Base is 10, or less where that would make an Interval below a millisecond,
// which timers do not keep to. At less than a millisecond for each entry Base is
// 1 and the metronome misses beats, which passes make up for: up to one entry
// for each worker of a pulling consumer.
//
// The p99.9 means something from some thousands of latencies on; of fewer than
// a thousand it is the largest. Errors wrap ErrOptions.
func Calibrate(unstressed Latencies, workers int, load float64) (Calibration, error) {
	mean := unstressed.Mean()
	switch {
	case mean <= 0:
		return Calibration{}, invalid("Calibrate needs latencies with a mean above 0, got %v", mean)
	case workers < 1:
		return Calibration{}, invalid("workers must be at least 1, got %d", workers)
	case !(load > 0 && load <= 1):
		return Calibration{}, invalid("load must be above 0 and at most 1, got %v", load)
	}
	period := float64(mean) / (load * float64(workers)) // ns for each entry
	base := int(min(10, max(1, period/float64(finest)+slack)))
	return Calibration{
		High:     max(medians*unstressed.Quantile(0.5), unstressed.Quantile(0.999)),
		Base:     base,
		Interval: max(1, time.Duration(math.Round(period/float64(base)))),
		Rate:     float64(time.Second) / period,
	}, nil
}
