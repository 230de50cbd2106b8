package governor

import "time"

// samples collects the latencies that make one decision.
type samples struct {
	count     int
	queued    int
	sum, most time.Duration
	latencies []time.Duration // all of them for a quantile; nil if none is wanted
}

// newSamples makes room for a window, if the signal needs it.
func newSamples(window int, signal Signal) samples {
	if !signal.quantile() {
		return samples{}
	}
	return samples{latencies: make([]time.Duration, 0, window)}
}

// add returns s with one more sample. s itself must not be used any more.
func (s samples) add(latency time.Duration, queued bool) samples {
	s.count++
	s.sum += latency
	s.most = max(s.most, latency)
	if queued {
		s.queued++
	}
	if s.latencies != nil {
		s.latencies = append(s.latencies, latency)
	}
	return s
}

// empty returns no samples, with the room that s has.
func (s samples) empty() samples { return samples{latencies: s.latencies[:0]} }

// signal must not be called without a sample.
func (s samples) signal(q Signal) time.Duration {
	switch q {
	case Mean:
		return s.sum / time.Duration(s.count)
	case Maximum:
		return s.most
	default:
		return nearestRank(s.latencies, float64(q))
	}
}

func (s samples) mostQueued() bool { return 2*s.queued > s.count }

func (s samples) noneQueued() bool { return s.queued == 0 }
